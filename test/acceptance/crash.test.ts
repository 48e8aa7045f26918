import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { expect, it } from "vitest";
import { aCustomer, anAddress } from "../support/builders.ts";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { serveStore, toExit } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const rounds = Number(process.env.DISPATCH_CRASH_ROUNDS ?? 3);
/** Enough clients for the server to commit their changes together. */
const clients = 32;

/** An acknowledged record; for trucks also the weight that the request set. */
interface Acknowledged {
  kind: "Job" | "Truck";
  id: number;
  weight: number | null;
}

it(
  `loses no event and keeps their order when a server is killed while it works, ${rounds} times`,
  async () => {
    const data = join(folder, "killed.db");
    // Some attempts fail, so that retries are pending when the server dies.
    const { url, deliveries } = await startReceiver((response, number) =>
      response.writeHead(number % 7 === 0 ? 500 : 200).end(),
    );
    const headers = await makeStore(data, url);
    const acknowledged: Acknowledged[] = [];

    for (let round = 0; round < rounds; round += 1) {
      const server = await serveStore(data);
      const exited = toExit(server.child);
      let isOver = false;
      const working = Array.from({ length: clients }, async () => {
        while (!isOver) await work(server.url, headers, acknowledged).catch(() => undefined);
      });
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 1));
      await sleep(Math.random() * 500);
      server.child.kill("SIGKILL");
      expect(await exited).toBe(-1);
      isOver = true;
      await Promise.all(working);
    }

    const connection = new SqliteDatabase(data, { timeout: 10_000 });
    expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
    // Another worker takes over the claims of the dead one after some seconds; the test does not wait for that or for
    // retries.
    const hurry = connection.prepare(
      "update deliveries set next_attempt_on = '2000-01-01T00:00:00.000000' where status = 'pending'",
    );
    const pending = connection.prepare("select count(*) from deliveries where status = 'pending'").pluck();
    const last = await serveStore(data);
    await eventually(() => {
      if (pending.get() !== 0) hurry.run();
      expect(pending.get()).toBe(0);
    }, 1500);
    await last.end();

    const events = connection
      .prepare("select * from events where kind in ('Job', 'Truck') order by id")
      .all() as {
      kind: "Job" | "Truck";
      record_id: number;
      uuid: string;
      data: string;
    }[];
    const records = {
      Job: new Set(connection.prepare("select id from jobs").pluck().all()),
      Truck: new Set(connection.prepare("select id from trucks").pluck().all()),
    };
    connection.close();

    // Every acknowledged change has its event, and every event its change.
    const told = new Set(
      events.map(({ kind, record_id, data: text }) =>
        toKey(kind, record_id, JSON.parse(text).weight ?? null),
      ),
    );
    const lost = acknowledged.filter(({ kind, id, weight }) => !told.has(toKey(kind, id, weight)));
    expect(lost).toEqual([]);
    const keys = acknowledged.map(({ kind, id, weight }) => toKey(kind, id, weight));
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length);
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(events.filter(({ kind, record_id }) => !records[kind].has(record_id))).toEqual([]);

    // Every event arrived, each time under the same id.
    const arrived = deliveries.map((delivery) => String(delivery.headers["webhook-id"]));
    expect(events.filter(({ uuid }) => !arrived.includes(uuid))).toEqual([]);

    // No event arrives before an earlier event of the same record.
    const firstArrival = new Map<string, number>();
    for (const [at, uuid] of arrived.entries()) if (!firstArrival.has(uuid)) firstArrival.set(uuid, at);
    const latest = new Map<string, number>();
    const disordered = events.filter(({ kind, record_id, uuid }) => {
      const key = `${kind} ${record_id}`;
      const at = firstArrival.get(uuid) ?? -1;
      const isBefore = at < (latest.get(key) ?? -1);
      latest.set(key, at);
      return isBefore;
    });
    expect(disordered).toEqual([]);
  },
  rounds * 10_000 + 100_000,
);

const toKey = (kind: string, id: number, weight: number | null) => `${kind} ${id} ${weight}`;

async function makeStore(data: string, hookUrl: string): Promise<Record<string, string>> {
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runCommand([...argv, "--data", data, "-o", "json"]);
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  await run("init", "--allow-private-hooks", "--tenant", "Acme", "--location", "Main yard");
  const customer = JSON.stringify(aCustomer({ addresses: [anAddress()] }));
  await runCommand(["customers", "create", "--location", "1", "--data", data, "--body", "-"], {
    input: customer,
  });
  await run("hooks", "create", "--events", "Job", "--events", "Truck", "--callback-url", hookUrl);
  const { token } = await run("tokens", "create", "--username", "owner");
  return { authorization: `Bearer ${token}`, "content-type": "application/json", "x-tenant-id": "1" };
}

/**
 * Creates a job and a truck, changes the truck, and records what the server acknowledges. Throws when the server is
 * gone.
 */
async function work(
  url: string,
  headers: Record<string, string>,
  acknowledged: Acknowledged[],
): Promise<void> {
  const send = async (method: string, path: string, body: object): Promise<{ id: number }> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, "x-api-version": "2023/04/19" },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status}`);
    return (await answer.json()) as { id: number };
  };
  const job = await send("POST", "/locations/1/jobs", { address_id: 1, requested_by: 1, type: "D" });
  acknowledged.push({ kind: "Job", id: job.id, weight: null });
  const truck = await send("POST", "/locations/1/trucks", { name: "T" });
  acknowledged.push({ kind: "Truck", id: truck.id, weight: null });
  for (let weight = 1; weight <= 5; weight += 1) {
    await send("PATCH", `/locations/1/trucks/${truck.id}`, { weight });
    acknowledged.push({ kind: "Truck", id: truck.id, weight });
  }
}
