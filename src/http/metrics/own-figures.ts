import { X509Certificate } from "node:crypto";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Service } from "../../core/service.ts";
import { programVersion } from "../../runtime/program-version.ts";
import type { TimeCounts } from "../../runtime/time-counts.ts";
import { newestSchema } from "../../store/migrations/index.ts";
import type { Store } from "../../store/store.ts";
import type { AttemptCounts } from "../../webhooks/worker-log.ts";
import type { CacheCounts } from "../answer-memory.ts";
import type { EventLoopWatch } from "../event-loop-watch.ts";
import type { Readiness } from "../readiness.ts";
import type { RequestQueues } from "../request-queues.ts";
import type { Streams } from "../streams/streams.ts";
import { type Figure, toCounter, toGauge, toHistogram } from "./figures.ts";
import { type OutboxWatch, watchOutbox } from "./outbox-watch.ts";
import { type OwnProcess, readProcessFigures } from "./process-figures.ts";
import type { RequestCounts } from "./request-counts.ts";

export interface Counting {
  attempts: AttemptCounts;
  certificate: string | undefined;
  cache: CacheCounts;
  loop: Pick<EventLoopWatch, "read">;
  lostLines: () => number;
  own: OwnProcess;
  queues: RequestQueues;
  requests: RequestCounts;
  /** A sandbox may replace its store. */
  served(): { service: Service; readiness: () => Promise<Readiness>; streams: Pick<Streams, "read"> };
}

export interface OwnFigures {
  /** One process reports the outbox for all. Returns in time even if the store hangs. */
  read(options: { withOutbox: boolean }): Promise<Figure[]>;
  stop(): void;
}

/** The timeout of a scrape for the store and the disk. */
const waitMsMax = 400;

export function createOwnFigures(counting: Counting): OwnFigures {
  const { served } = counting;
  const certificate = toCertificate(counting.certificate);
  let readiness: Readiness | null = null;
  let disk: Figure[] = [];
  let outbox: { watch: OutboxWatch; of: Service } | null = null;
  const watchOf = (service: Service) => {
    if (outbox?.of === service) return outbox.watch;
    outbox?.watch.stop();
    outbox = { of: service, watch: watchOutbox(service) };
    return outbox.watch;
  };
  const look = async (withOutbox: boolean) => {
    const { service, readiness: readReadiness } = served();
    const looks = [
      readReadiness().then((found) => {
        readiness = found;
      }),
      readDiskFigures(service.store.database).then((found) => {
        disk = found;
      }),
      ...(withOutbox ? [watchOf(service).look()] : []),
    ];
    // The readiness reports failures.
    await inTime(Promise.allSettled(looks));
  };
  return {
    async read({ withOutbox }) {
      await look(withOutbox);
      const { service, streams } = served();
      return [
        toBuild(counting.own),
        ...toReadiness(readiness),
        ...toStandby(service.store.database.standbyLagMs()),
        ...counting.requests.read(),
        ...certificate,
        ...toLoad(counting),
        ...toStreams(streams.read()),
        ...readStoreFigures(service.store.database, { request: counting.queues.waits }),
        ...disk,
        ...(withOutbox ? watchOf(service).read() : []),
        ...toAttempts(counting.attempts),
        toLostLines(counting.lostLines()),
        ...(await readProcessFigures(counting.own)),
      ];
    },
    stop: () => outbox?.watch.stop(),
  };
}

export const toLostLines = (lines: number): Figure =>
  toCounter("dispatch_log_lines_lost_total", "Log lines that could not be written.", [[{}, lines]]);

export const toWorkers = (workers: { wanted: number; answering: number; restarts: number }): Figure[] => [
  toCounter("dispatch_worker_restarts_total", "Processes that replaced ended ones.", [
    [{}, workers.restarts],
  ]),
  toGauge(
    "dispatch_workers",
    "Number of processes by `state`: `wanted`, and `answering` this scrape.",
    "max",
    [
      [{ state: "wanted" }, workers.wanted],
      [{ state: "answering" }, workers.answering],
    ],
  ),
];

async function inTime(looks: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMsMax);
  });
  await Promise.race([looks, late]);
  clearTimeout(timer);
}

const toBuild = ({ version: node }: OwnProcess): Figure =>
  toGauge(
    "dispatch_build_info",
    "1, with the `version` of the program, the `schema` of its stores, and `node`.",
    "max",
    [[{ version: programVersion, schema: newestSchema, node }, 1]],
  );

function toReadiness(readiness: Readiness | null): Figure[] {
  const isReady = readiness?.isReady === true;
  const check = readiness === null ? "time" : readiness.isReady ? null : readiness.check;
  return [
    toGauge("dispatch_ready", "1 while `/readyz` is 200, in all processes.", "min", [[{}, isReady ? 1 : 0]]),
    toGauge(
      "dispatch_not_ready",
      "1 for the `check` that makes `/readyz` fail.",
      "max",
      check === null ? [] : [[{ check }, 1]],
    ),
  ];
}

const toStandby = (lagMs: number | null): Figure[] => [
  toGauge(
    "dispatch_standby_lag_seconds",
    "How far the standby that this server reads is behind its primary; absent on a primary.",
    "max",
    lagMs === null ? [] : [[{}, lagMs / 1000]],
  ),
];

/** A process keeps its certificate: SIGHUP starts others with the new one. */
function toCertificate(pem: string | undefined): Figure[] {
  if (pem === undefined) return [];
  const endsOn = Date.parse(new X509Certificate(pem).validTo) / 1000;
  return [
    toGauge(
      "dispatch_certificate_end_seconds",
      "When the certificate of TLS ends, in seconds since 1970; absent without TLS.",
      "min",
      [[{}, endsOn]],
    ),
  ];
}

function toLoad({ cache, loop, queues }: Counting): Figure[] {
  const { p50, p99, max } = loop.read();
  return [
    toGauge(
      "dispatch_event_loop_delay_seconds",
      "Delays of the event loop within about a minute: `at` p50, p99, and max.",
      "max",
      [
        [{ at: "p50" }, p50],
        [{ at: "p99" }, p99],
        [{ at: "max" }, max],
      ],
    ),
    toGauge("dispatch_requests_waiting", "Requests that wait for their turn.", "sum", [[{}, queues.waiting]]),
    toCounter(
      "dispatch_cache_requests_total",
      "Reads answered from memory (`result` hit), and other repeatable reads (miss).",
      [
        [{ result: "hit" }, cache.hits],
        [{ result: "miss" }, cache.misses],
      ],
    ),
    toGauge("dispatch_cache_bytes", "Memory of cached answers.", "sum", [[{}, cache.bytes]]),
  ];
}

const toStreams = ({ ended, open }: ReturnType<Streams["read"]>): Figure[] => [
  toGauge("dispatch_streams", "Open streams of events (`GET /stream`).", "sum", [[{}, open]]),
  toCounter(
    "dispatch_streams_ended_total",
    "Ended streams, by `why`: `client` (it disconnected), `slow` (it read nothing for 15 s), `access` (the caller lost it), `server` (it closed), or `fault`.",
    Object.entries(ended).map(([why, count]) => [{ why }, count]),
  ),
];

const toAttempts = ({ durations, outcomes }: AttemptCounts): Figure[] => [
  toCounter(
    "dispatch_webhook_attempts_total",
    "Webhook attempts, by `outcome`: `delivered`, the class of another status (`http_5xx`), or the failure (`timeout`, `connection`, `name`, `tls`, `refused_address` …).",
    [...outcomes].map(([outcome, count]) => [{ outcome }, count]),
  ),
  toHistogram("dispatch_webhook_attempt_duration_seconds", "Duration of webhook attempts.", [
    [{}, durations],
  ]),
];

/** Time in the queue of requests and for the thread of long reads. */
export type HttpWaits = Readonly<Record<"request", TimeCounts>>;

function readStoreFigures(database: Pick<Store["database"], "activity">, waits: HttpWaits): Figure[] {
  const { connections, connectionsMax, waits: storeWaits, writersWaiting } = database.activity();
  return [
    toGauge(
      "dispatch_store_pool_connections",
      "Connections to the store by `state`: `used`, `idle`, and requests `waiting` for one. A file has one.",
      "sum",
      Object.entries(connections).map(([state, count]) => [{ state }, count]),
    ),
    toGauge(
      "dispatch_store_pool_connections_max",
      "Maximum number of connections to the store, of all processes.",
      "sum",
      [[{}, connectionsMax]],
    ),
    toGauge("dispatch_store_writers_waiting", "Changes that wait for other changes.", "sum", [
      [{}, writersWaiting],
    ]),
    toHistogram(
      "dispatch_store_wait_seconds",
      "Waits by `queue`: `request` for the turn, `connection`, `writer` for other changes, `file_lock` for other programs; no wait counts as 0.",
      Object.entries({ ...waits, ...storeWaits }).map(([queue, counts]) => [{ queue }, counts]),
    ),
  ];
}

async function readDiskFigures(database: Pick<Store["database"], "sharedFile">): Promise<Figure[]> {
  const file = database.sharedFile();
  if (!file) return [];
  const { bavail, blocks, bsize } = await statfs(dirname(file.path));
  return [
    toGauge(
      "dispatch_store_bytes",
      "Size of the store's file; absent for PostgreSQL, like the next two.",
      "max",
      [[{}, file.bytes]],
    ),
    toGauge("dispatch_disk_free_bytes", "Free space on the disk of the store.", "min", [
      [{}, bavail * bsize],
    ]),
    toGauge("dispatch_disk_size_bytes", "Size of the disk of the store.", "min", [[{}, blocks * bsize]]),
  ];
}
