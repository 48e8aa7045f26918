import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createRandom } from "../../bench/torture/random.js";
import { createClient } from "../../src/library/index.ts";
import { aJob } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { serveQuietly } from "../support/quiet-server.ts";
import { skipPauses } from "../support/skip-pauses.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(useTempFolder(), "example");
mkdirSync(join(folder, "node_modules"), { recursive: true });
symlinkSync(project, join(folder, "node_modules/dispatch-cli"));
cpSync(join(project, "examples/two-way-sync"), folder, { recursive: true });

interface Order {
  key: string;
  day: string | null;
  note: string | null;
  isCancelled: boolean;
  version: number;
}

const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
const { sync } = await load("sync.js");
const { createOrderClient } = await load("order-client.js");
const { createOrderBook } = await load("order-book.js");

// The client pauses a second before each new connection of the stream.
beforeEach(() => void skipPauses());

const random = createRandom(7);

/** Both systems, a network between them that can fail, and the program. */
async function setUp(like: Harness) {
  const harness = await freshHarness(like);
  const { locationId: location, tenantId: tenant } = harness.acme;
  const book: { orders: Map<string, Order>; put(order: object): Order; server(): Server } = createOrderBook();
  const servers = { dispatch: await serveQuietly(harness.service), orders: await serveOrders(book.server()) };
  const network = { isFaulty: false, faults: 0 };
  const toFetch = (name: keyof typeof servers) => toFaultyFetch(network, () => servers[name].origin);
  const problems: string[] = [];
  const file = join(folder, `state-${Math.random()}.json`);
  const start = () => {
    const ended = new AbortController();
    const running: Promise<void> = sync({
      client: createClient({
        ...{ fetch: toFetch("dispatch"), tenant, token: harness.callerOf("Dispatcher").token },
        ...{ url: "http://dispatch.test", onRetry: () => 1 },
      }),
      orders: createOrderClient("http://dispatch.test", toFetch("orders")),
      ...{ file, location, pauseMs: 5, signal: ended.signal },
      toNewJob: () => aJob(harness.acme),
      onProblem: (error: Error) => problems.push(error.message),
    });
    const end = running.catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
    const stop = () => {
      ended.abort();
      return end;
    };
    onTestFinished(stop);
    return stop;
  };
  const params = { location_id: location };
  return {
    ...{ book, harness, network, problems, servers, start },
    jobs: async () => (await harness.ok("locations.jobs", { params, query: { page_limit: 1000 } })).results,
    makeJob: async (body = {}) =>
      (await harness.ok("jobs.create", { params, body: aJob(harness.acme, body) })).id,
    edit: (key: string, changes: Partial<Order>) =>
      book.put({ ...book.orders.get(key), ...changes, changedBy: "clerk" }),
    change: (job_id: number, body: object) =>
      harness.call("jobs.update", { params: { ...params, job_id }, body }),
  };
}

type World = Awaited<ReturnType<typeof setUp>>;

async function serveOrders(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { origin: `http://127.0.0.1:${address.port}`, close };
}

/** Loses a request or its answer, answers 500, cuts a stream, and delivers its events twice. */
function toFaultyFetch(network: { isFaulty: boolean; faults: number }, toOrigin: () => string): typeof fetch {
  return async (url, init) => {
    const send = () => fetch(String(url).replace("http://dispatch.test", toOrigin()), init);
    const isStream = String(url).includes("/stream");
    if (!network.isFaulty) return send();
    const luck = random.next();
    if (luck < 0.3) network.faults += 1;
    if (luck < 0.1) throw new TypeError("The connection is refused.");
    if (luck < 0.2 && !isStream) return new Response("{}", { status: 500 });
    const answer = await send();
    if (!isStream && luck < 0.3) throw new TypeError("The answer is lost.");
    if (!isStream || !answer.body) return answer;
    return new Response(ReadableStream.from(repeatAndCut(answer.body)), answer);
  };
}

async function* repeatAndCut(body: ReadableStream<Uint8Array>) {
  for await (const bytes of body) {
    const text = new TextDecoder().decode(bytes);
    yield new TextEncoder().encode(text.startsWith("event: ") ? text + text : text);
    if (random.next() < 0.2) throw new TypeError("The connection is cut.");
  }
}

/** Lists the records that differ: a live job without an equal order, and the other way around. */
async function differences({ book, jobs }: World): Promise<unknown[]> {
  const all = await jobs();
  const live = (isLive: boolean, values: unknown[]) => (isLive ? [JSON.stringify(values)] : []);
  const ofJobs = all.flatMap(({ dispatcher_notes, is_deleted, reference_number, schedule_date }) =>
    live(!is_deleted, [reference_number, schedule_date?.slice(0, 10) ?? null, dispatcher_notes ?? null]),
  );
  const ofOrders = [...book.orders.values()].flatMap(({ day, isCancelled, key, note }) =>
    live(!isCancelled, [key, day, note]),
  );
  const other = (one: string[], two: string[]) => one.filter((text) => !two.includes(text));
  return [...other(ofJobs, ofOrders), ...other(ofOrders, ofJobs)];
}

const settled = (world: World) => expect.poll(() => differences(world), { timeout: 20_000 }).toEqual([]);

const anOrder = (key: string, changes = {}) => ({
  day: null,
  isCancelled: false,
  key,
  note: null,
  ...changes,
});

describeOverHttp("the example two-way-sync", (like) => {
  it("carries new, changed, and deleted records both ways, and writes nothing for its own changes", async () => {
    const world = await setUp(like);
    const { book, change, edit, harness, makeJob, start } = world;
    const early = await makeJob({ schedule_date: "2026-12-01" });
    start();
    await settled(world);
    book.put(anOrder("PO-7", { day: "2026-12-02", note: "Gate code 7." }));
    const late = await makeJob();
    await settled(world);
    await change(early, { dispatcher_notes: "Call first." });
    edit(`job-${late}`, { day: "2026-12-04" });
    await settled(world);
    await change(early, { is_deleted: true });
    edit("PO-7", { isCancelled: true });
    await settled(world);
    expect([...book.orders.values()].map(({ key, version }) => [key, version]).toSorted()).toEqual([
      // A creation, the note, and the deletion; the order's own creation and cancellation; a creation and a date.
      ...[
        ["PO-7", 2],
        [`job-${early}`, 3],
        [`job-${late}`, 2],
      ],
    ]);
    const events = await harness.ok("events.list", { query: { type: "Job", page_limit: 1000 } });
    const own = events.results.filter(({ cause }) => cause?.idempotency_key?.startsWith("order-sync:"));
    // The reference numbers of two jobs, the job of PO-7, its deletion, and the date.
    expect(own).toHaveLength(5);
    expect(world.problems).toEqual([]);
  });

  it("merges what changed on both sides while it was off, and settles conflicts by its table", async () => {
    const world = await setUp(like);
    const { change, edit, jobs, makeJob, problems, start } = world;
    const id = await makeJob({ schedule_date: "2026-12-01", dispatcher_notes: "old" });
    const stop = start();
    await settled(world);
    await stop();
    await change(id, { schedule_date: "2026-12-05", dispatcher_notes: "of the dispatcher" });
    const key = `job-${id}`;
    edit(key, { day: "2026-12-09", note: "of the customer" });
    start();
    await settled(world);
    expect((await jobs()).find((job) => job.id === id)).toMatchObject({
      dispatcher_notes: "of the customer",
      schedule_date: "2026-12-05T00:00:00.000000",
    });
    expect(problems.toSorted()).toEqual([
      `Both sides changed day of ${key}; the job wins.`,
      `Both sides changed note of ${key}; the order wins.`,
    ]);
  });

  it("loses and doubles nothing while connections break, answers get lost, and every part restarts", async () => {
    const world = await setUp(like);
    const { book, change, edit, harness, jobs, makeJob, network, servers, start } = world;
    network.isFaulty = true;
    let stop = start();
    const ids: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      const id = ids.length > 0 ? random.pick(ids) : await makeJob();
      const order = random.pick([...book.orders.values()]);
      const day = `2026-12-${String(10 + random.below(20))}`;
      await random.pick([
        async () => ids.push(await makeJob({ schedule_date: day })),
        () => change(id, { dispatcher_notes: `${round}` }),
        () => change(id, { is_deleted: true }),
        () => change(id, { is_deleted: false }),
        () => book.put(anOrder(`PO-${round}`, { day })),
        () => order && edit(order.key, { note: `${round}` }),
        () => order && edit(order.key, { isCancelled: !order.isCancelled }),
      ])();
      if (round % 12 === 5) {
        await stop();
        stop = start();
      }
      if (round % 12 === 8) {
        await servers.dispatch.close();
        servers.dispatch = await serveQuietly(harness.service);
      }
      if (round % 12 === 11) {
        await servers.orders.close();
        servers.orders = await serveOrders(book.server());
      }
    }
    network.isFaulty = false;
    await settled(world);
    const keys = (await jobs()).flatMap(({ reference_number: key }) => (key === null ? [] : [key]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(network.faults).toBeGreaterThan(5);
  });
});
