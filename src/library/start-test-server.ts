import { openSandbox, setClock } from "../demo/open-sandbox.ts";
import { startServer } from "../http/serve.ts";
import { takeBaseline } from "../local/baseline.ts";
import { parseTimestamp } from "../models/timestamps.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { readDuration } from "../runtime/duration.ts";
import { moveClock } from "../store/store-clock.ts";
import { type ReceivedEvents, startReceiver } from "./test-receiver.ts";

export interface TestServerOptions {
  /** With the records of `dispatch-cli demo`; otherwise there is a tenant with a location and its owner. */
  demo?: boolean;
  /** What its clock shows at first; it goes on from there. */
  now?: Date | string;
  /** Any free one unless given. */
  port?: number;
}

/** A server with a sandbox store in memory. */
export interface TestServer {
  url: string;
  /** Of the first tenant's owner, who is Admin and Dispatcher. */
  token: string;
  tenantId: number;
  locationId: number;
  /** What its webhook was told, in order. */
  events: Pick<ReceivedEvents, "next"> & {
    /** The webhook's, for who verifies signatures. */
    secret: string;
  };
  clock: {
    /** Shows a time from now on; it goes on from there. */
    set(now: Date | string): Promise<void>;
    /** Goes forward by milliseconds, or by a duration like 3d. */
    advance(by: number | string): Promise<void>;
  };
  /** Brings the store, the clock and the events back to what they were at the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a server in this process, on loopback, with its store in memory: for tests of what is built against the interface.
 * Any number can run side by side. A webhook of its own hears of everything that happens in the first tenant. Throws a
 * TypeError for an option that it does not understand.
 */
export async function startTestServer({
  demo = false,
  now,
  port = 0,
}: TestServerOptions = {}): Promise<TestServer> {
  const begin = now === undefined ? undefined : toMoment(now, "now");
  const receiver = await startReceiver();
  const closers: (() => Promise<void>)[] = [receiver.close];
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
      clock: {
        set: (moment) => setClock(server.service(), toMoment(moment, "clock.set")),
        advance: async (by) => {
          const ms = typeof by === "number" ? by : readDuration(by);
          if (ms === null || !Number.isFinite(ms))
            throw new TypeError(`clock.advance takes milliseconds or a duration like 3d, not ${by}.`);
          await moveClock(server.service(), ({ offset_ms }) => offset_ms + ms);
        },
      },
      async reset() {
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

function toMoment(given: Date | string, name: string): Timestamp {
  const text = given instanceof Date ? (Number.isNaN(given.getTime()) ? "" : given.toISOString()) : given;
  const moment = parseTimestamp(text);
  if (moment && toEpochMs(moment) >= 0) return moment;
  throw new TypeError(
    `${name} must be a Date or an ISO 8601 text since 1970, like 2026-11-21T08:30:00Z, not ${given}.`,
  );
}
