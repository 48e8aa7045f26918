import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestDatabase } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { runProgram, type ServedStore, serveStore } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { seedStore } from "../support/seed-store.ts";

const clients = 12;
const changesOfEach = 8;

describe("four servers on one PostgreSQL store with clients that write at once", () => {
  let database: TestDatabase;
  let servers: ServedStore[];
  let headers: Record<string, string>;
  beforeAll(async () => {
    database = createEmptyDatabase();
    const env = { DISPATCH_DATA: database.data };
    const token = await seedStore((words, input) =>
      runProgram(words, { env, ...(input !== undefined && { input }) }),
    );
    headers = { authorization: `Bearer ${token}`, "x-tenant-id": "1", "content-type": "application/json" };
    servers = await Promise.all([1, 2, 3, 4].map(() => serveStore(database.data)));
  });
  afterAll(async () => {
    for (const server of servers) await server.end();
    database.remove();
  });

  const send = async (turn: number, path: string, body?: object, method = "GET") => {
    const { url } = servers[turn % servers.length] as ServedStore;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const jobs = "/locations/1/jobs";
  const newJob = { type: "D", requested_by: 1, address_id: 1 };
  const storedEvents = () =>
    database.query("select uuid, record_id from events where kind = 'Job' order by id") as {
      uuid: string;
      record_id: number;
    }[];

  /** Creates jobs, and changes two jobs that all clients share. */
  const write = async (client: number) => {
    for (let turn = 0; turn < changesOfEach; turn++) {
      if (turn % 2 === 0) await send(client + turn, jobs, newJob, "POST");
      else
        await send(
          client + turn,
          `${jobs}/${1 + (turn % 4 === 1 ? 0 : 1)}`,
          { dispatcher_notes: `${client} ${turn}` },
          "PATCH",
        );
    }
  };

  it("lose no event for a reader that continues behind the last one it saw, and each comes once", async () => {
    const read: string[] = [];
    let isOver = false;
    const readOn = async (turn: number) => {
      const after = read.at(-1);
      const query = after === undefined ? "" : `&after=${after}`;
      const { results } = await send(turn, `/events?page_limit=20${query}`);
      read.push(...(results as { id: string }[]).map(({ id }) => id));
      return (results as unknown[]).length;
    };
    const reading = (async () => {
      for (let turn = 0; (await readOn(turn)) > 0 || !isOver; turn++);
    })();
    await Promise.all(Array.from({ length: clients }, (_, client) => write(client)));
    isOver = true;
    await reading;
    while ((await readOn(0)) > 0);
    const stored = database.query("select uuid from events order by id").map(({ uuid }) => uuid);
    expect(read).toEqual(stored);
    expect(stored.length).toBeGreaterThanOrEqual(clients * changesOfEach);
  });

  it("receive the changes of each job in order", async () => {
    const { deliveries, url } = await startReceiver();
    await send(0, "/hooks", { events: ["Job"], url }, "POST");
    const before = storedEvents().length;
    await Promise.all(Array.from({ length: clients }, (_, client) => write(client)));
    const due = storedEvents().slice(before);
    const arrived = () => [...new Set(deliveries.map((delivery) => String(delivery.headers["webhook-id"])))];
    await eventually(() => expect(arrived().length).toBe(due.length), 100);
    const order = arrived();
    for (const id of [1, 2]) {
      const told = due.filter(({ record_id }) => record_id === id).map(({ uuid }) => uuid);
      expect(order.filter((uuid) => told.includes(uuid))).toEqual(told);
      // The last event shows the job's current state.
      const last = JSON.parse(
        deliveries.findLast(({ headers: sent }) => sent["webhook-id"] === told.at(-1))?.body ?? "",
      );
      expect((await send(0, `${jobs}/${id}`)).dispatcher_notes).toBe(last.data.dispatcher_notes);
    }
  });
});

describe("two servers on one PostgreSQL store, with machine clocks two minutes apart", () => {
  it("deliver each event once, and use one time", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    const env = { DISPATCH_DATA: database.data };
    const token = await seedStore((words, input) =>
      runProgram(words, { env, ...(input !== undefined && { input }) }),
    );
    const ahead = "const now = Date.now; Date.now = () => now() + 120_000;";
    const servers = await Promise.all([
      serveStore(database.data),
      serveStore(database.data, [], {
        env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(ahead)}` },
      }),
    ]);
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.end()))));
    const post = async ({ url }: ServedStore, path: string, body: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        "x-tenant-id": "1",
        "content-type": "application/json",
      };
      const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
    };
    const held: ServerResponse[] = [];
    let isOpen = false;
    const { deliveries, url } = await startReceiver((response) => {
      if (isOpen) response.writeHead(200).end();
      else held.push(response);
    });
    const [onTime, early] = servers as [ServedStore, ServedStore];
    await post(onTime, "/hooks", { events: ["Job"], url });
    const leases = () =>
      database.query(`select distinct split_part(leased_by, '.', 1) as worker,
        clock_timestamp() at time zone 'UTC' + interval '50 s' < leased_until as "isLong"
        from deliveries where status = 'pending' and leased_by is not null`);
    const newJob = { type: "D", requested_by: 1, address_id: 1 };
    // Until each server holds a lease, neither webhook gets an answer.
    await eventually(async () => {
      for (const server of [onTime, early]) await post(server, "/locations/1/jobs", newJob);
      expect(new Set(leases().map(({ worker }) => worker)).size).toBe(2);
    });
    expect(leases().filter(({ isLong }) => isLong)).toEqual([]);
    isOpen = true;
    for (const response of held) response.writeHead(200).end();
    const pending = () =>
      database.query("select id from deliveries where status = 'pending' and hook_id = 2");
    await eventually(() => expect(pending()).toEqual([]), 100);
    const ids = deliveries.map((delivery) => String(delivery.headers["webhook-id"]));
    expect(ids).toHaveLength(new Set(ids).size);
  });
});
