import { takeBaseline } from "../core/baseline.ts";
import type { Service } from "../core/service.ts";
import { openSandbox, setClock } from "../http/open-sandbox.ts";
import { startServer } from "../http/serve.ts";
import { parseTimestamp } from "../models/timestamps.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { readDuration } from "../runtime/duration.ts";
import { moveClock, waitForLeases } from "../store/store-clock.ts";
import { type ReceivedEvents, startReceiver } from "./test-receiver.ts";
import type { TestServer, TestServerOptions } from "./test-server.ts";

/** A test server without its client. */
export type StartedServer = Omit<TestServer, "client" | "events"> & {
  events: Pick<ReceivedEvents, "next"> & { secret: string };
};

/**
 * Starts a server in this process, on loopback, with its store in memory. Several can run at once. A webhook receives
 * every event of the first tenant. Throws a TypeError for an unknown option.
 */
export async function startTestServer(given: TestServerOptions = {}): Promise<StartedServer> {
  const { demo = false, now, port = 0 } = readOptions(given);
  const begin = now === undefined ? undefined : toMoment(now, "now");
  const receiver = await startReceiver();
  const closers: (() => Promise<void>)[] = [receiver.close];
  const requireOpen = () => {
    if (closers.length === 0) throw new Error("This test server was closed.");
  };
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const { options, service, ...facts } = await openSandbox({
      demo,
      tokenName: "startTestServer",
      ...(begin !== undefined && { now: begin }),
    });
    closers.push(() => service.store.close());
    const secret = await receiver.subscribe(service, facts.tenantId);
    const baseline = await takeBaseline(service, options);
    const server = await startServer(service, {
      delivers: true,
      host: "127.0.0.1",
      log: { write: () => undefined },
      logLevel: "silent",
      port,
      restore: baseline && (() => baseline.restore()),
    });
    closers.push(async () => {
      await server.close(0);
      await server.service().store.close();
    });
    return {
      ...facts,
      url: server.url,
      events: { next: receiver.events.next, secret },
      clock: toTestClock(() => {
        requireOpen();
        return server.service();
      }),
      async reset() {
        requireOpen();
        await server.reset();
        receiver.events.forget();
        if (begin !== undefined) await setClock(server.service(), begin);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const optionNames = ["demo", "now", "port"];

/** Programs without types get an error for an unknown option. */
function readOptions(given: TestServerOptions): TestServerOptions {
  const unknown = Object.keys(given).filter((name) => !optionNames.includes(name));
  if (unknown.length === 0) return given;
  throw new TypeError(`startTestServer takes ${optionNames.join(", ")}, not ${unknown.join(", ")}.`);
}

const toTestClock = (serviceNow: () => Service): TestServer["clock"] => ({
  async set(given) {
    const moment = toMoment(given, "clock.set");
    const service = serviceNow();
    await recorded(service);
    await setClock(service, moment);
  },
  async advance(by) {
    const ms = typeof by === "number" ? by : readDuration(by);
    if (ms === null || !Number.isFinite(ms))
      throw new TypeError(`clock.advance takes milliseconds or a duration like 3d, not ${by}.`);
    const service = serviceNow();
    await recorded(service);
    await moveClock(service, ({ offset_ms }) => offset_ms + ms);
  },
});

/** Waits until deliveries are recorded, because a test may move the clock as soon as it has an event. */
const recorded = ({ clock, store }: Service) => waitForLeases(() => store.backlog.countLeased(clock.now()));

function toMoment(given: Date | string, name: string): Timestamp {
  const text = given instanceof Date ? (Number.isNaN(given.getTime()) ? "" : given.toISOString()) : given;
  const moment = parseTimestamp(text);
  if (moment && toEpochMs(moment) >= 0) return moment;
  throw new TypeError(
    `${name} must be a Date or an ISO 8601 text since 1970, like 2026-11-21T08:30:00Z, not ${given}.`,
  );
}
