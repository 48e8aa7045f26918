import type { Service } from "../../core/service.ts";
import { failure, retryLater } from "../../errors/errors.ts";
import type { OpenStream } from "../http-messages.ts";
import { EventFeed } from "./event-feed.ts";
import { EventStream, type StreamEnd, type StreamOptions, streamEnds } from "./event-stream.ts";

interface StreamLimits {
  perToken: number;
  perTenant: number;
  perProcess: number;
}

const defaultLimits: StreamLimits = { perToken: 50, perTenant: 1000, perProcess: 4000 };

const tickMs = 500;

interface StreamsOptions {
  limits?: StreamLimits;
  nowMs?: () => number;
  everyTick?: (tick: () => void) => () => void;
}

interface Holder {
  tenantId: number;
  tokenId: number | null;
}

export interface Streams {
  open(holder: Holder, options: Omit<StreamOptions, "inTurn" | "nowMs"> & Opening): OpenStream;
  read(): { open: number; ended: Readonly<Record<StreamEnd, number>> };
  stop(): void;
}

interface Opening {
  head: number;
  turn: { take(): Promise<void> | void; leave(): void };
}

interface TenantStreams {
  feed: EventFeed;
  count: number;
  /** A tenant's streams wait for their turn one at a time, so that they do not block its requests. */
  last: Promise<unknown>;
}

export function createStreams(
  service: Pick<Service, "outbox" | "store">,
  { everyTick = startTicks, limits = defaultLimits, nowMs = () => performance.now() }: StreamsOptions = {},
): Streams {
  const open = new Map<EventStream, Holder>();
  const tenants = new Map<number, TenantStreams>();
  const ended = Object.fromEntries(streamEnds.map((why) => [why, 0])) as Record<StreamEnd, number>;
  let endTicks: (() => void) | null = null;
  const tick = () => {
    for (const stream of open.keys()) void stream.tick();
  };
  const enter = (stream: EventStream, holder: Holder, head: number, onFault: (error: unknown) => void) => {
    open.set(stream, holder);
    endTicks ??= everyTick(tick);
    const { tenantId } = holder;
    const known = tenants.get(tenantId);
    const own = known ?? {
      feed: new EventFeed(service, tenantId, head, onFault),
      count: 0,
      last: Promise.resolve(),
    };
    own.count += 1;
    tenants.set(tenantId, own);
    return own.feed;
  };
  const leave = (stream: EventStream, why: StreamEnd) => {
    const holder = open.get(stream);
    if (!holder) return;
    open.delete(stream);
    ended[why] += 1;
    const own = tenants.get(holder.tenantId);
    if (own && --own.count === 0) {
      own.feed.stop();
      tenants.delete(holder.tenantId);
    }
    if (open.size > 0) return;
    endTicks?.();
    endTicks = null;
  };
  return {
    open(holder, { head, turn, ...options }) {
      checkRoom([...open.values()], holder, limits);
      const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
        const own = tenants.get(holder.tenantId);
        const run = (own?.last ?? Promise.resolve()).then(() => takeTurn(turn, work));
        if (own) own.last = run.catch(() => undefined);
        return run;
      };
      const stream: EventStream = new EventStream(
        { ...options, inTurn, nowMs },
        () => enter(stream, holder, head, options.onFault),
        (why) => leave(stream, why),
      );
      return stream;
    },
    read: () => ({ open: open.size, ended }),
    stop() {
      for (const stream of open.keys()) stream.end();
    },
  };
}

function startTicks(tick: () => void): () => void {
  const timer = setInterval(tick, tickMs).unref();
  return () => clearInterval(timer);
}

const busyMs = 250;

/** Tries again later if the queue is full. */
async function takeTurn<T>({ leave, take }: Opening["turn"], work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      await take();
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, busyMs).unref());
    }
  }
  try {
    return await work();
  } finally {
    leave();
  }
}

const wayOn = "Close one that you no longer need.";

function checkRoom(open: readonly Holder[], { tenantId, tokenId }: Holder, limits: StreamLimits): void {
  const { perProcess, perTenant, perToken } = limits;
  if (open.length >= perProcess)
    throw failure("overloaded", `This server has ${perProcess} streams open, its maximum.`);
  const count = (isAlike: (other: Holder) => boolean) => open.filter(isAlike).length;
  if (count((other) => other.tenantId === tenantId) >= perTenant)
    throw retryLater("rate_limited", `The tenant has ${perTenant} streams open here. ${wayOn}`, 60);
  if (tokenId !== null && count((other) => other.tokenId === tokenId) >= perToken)
    throw retryLater("rate_limited", `This token has ${perToken} streams open here. ${wayOn}`, 60);
}
