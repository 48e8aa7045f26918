// Runs statements on PostgreSQL while the calling thread blocks, so that tests can query a store synchronously.
import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";

/** Parses values into the form that SQLite returns: timestamps as text, integers, booleans as 0 and 1. */
const parsers = {
  16: (text) => (text === "t" ? 1 : 0),
  20: Number,
  1114: (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(6, "0")}`,
};
const types = { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) };

const clients = new Map();

async function toClient(address) {
  const known = clients.get(address);
  if (known) return known;
  const client = new pg.Client({
    connectionString: address,
    options: "-c datestyle=ISO -c dispatch.all_tenants=on",
    types,
  });
  client.on("error", () => clients.delete(address));
  await client.connect();
  clients.set(address, client);
  return client;
}

/** Only a call with a query is sure to have a connection to close. */
async function answer({ address, leave, statements }) {
  const results = statements.length > 0 ? await run(await toClient(address), statements) : [];
  if (leave) {
    const client = clients.get(address);
    clients.delete(address);
    await client?.end();
  }
  return { results };
}

/**
 * Sends queries of many tables in one message, to save round trips. Sends changes separately: the statements of one
 * message are one transaction.
 */
async function run(client, statements) {
  const results = [];
  if (
    statements.length > 1 &&
    statements.every(({ sql, values }) => values === undefined && sql.startsWith("select "))
  ) {
    const answers = await client.query(statements.map(({ sql }) => sql).join(";"));
    for (const { rows } of answers) results.push(rows);
  } else for (const { sql, values } of statements) results.push((await client.query(sql, values)).rows);
  return results;
}

parentPort.on("message", async (request) => {
  const said = await answer(request).catch((error) => ({ error: `${error.message} (${error.code})` }));
  request.port.postMessage(said);
  Atomics.store(workerData, 0, request.asked);
  Atomics.notify(workerData, 0);
});
