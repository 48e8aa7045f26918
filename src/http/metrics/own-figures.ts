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
  /** PEM; undefined without TLS. */
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

/** The metrics of one process. */
export interface OwnFigures {
  /** One process reports the outbox for all. Answers in time with the known figures, even when the store hangs. */
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
  toGauge("dispatch_workers", "Processes that should serve, and those that answered this scrape.", "max", [
    [{ state: "wanted" }, workers.wanted],
    [{ state: "answering" }, workers.answering],
  ]),
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
  toGauge("dispatch_build_info", "The program, the schema of its stores, and Node.js; always 1.", "max", [
    [{ version: programVersion, schema: newestSchema, node }, 1],
  ]);

function toReadiness(readiness: Readiness | null): Figure[] {
  const isReady = readiness?.isReady === true;
  const check = readiness === null ? "time" : readiness.isReady ? null : readiness.check;
  return [
    toGauge("dispatch_ready", "1 while /readyz reports ready; of several processes, while all do.", "min", [
      [{}, isReady ? 1 : 0],
    ]),
    toGauge(
      "dispatch_not_ready",
      "1 for the check that makes /readyz fail.",
      "max",
      check === null ? [] : [[{ check }, 1]],
    ),
  ];
}

/** A process keeps its certificate: SIGHUP starts others with the new one. */
function toCertificate(pem: string | undefined): Figure[] {
  if (pem === undefined) return [];
  const endsOn = Date.parse(new X509Certificate(pem).validTo) / 1000;
  return [
    toGauge("dispatch_certificate_end_seconds", "When the server's certificate ends, since 1970.", "min", [
      [{}, endsOn],
    ]),
  ];
}

function toLoad({ cache, loop, queues }: Counting): Figure[] {
  const { p50, p99, max } = loop.read();
  return [
    toGauge(
      "dispatch_event_loop_delay_seconds",
      "Delay of the event loop, the worst within about a minute: median, 99th percentile and longest.",
      "max",
      [
        [{ at: "p50" }, p50],
        [{ at: "p99" }, p99],
        [{ at: "max" }, max],
      ],
    ),
    toGauge("dispatch_requests_waiting", "Requests that wait for their turn.", "sum", [[{}, queues.waiting]]),
    toCounter("dispatch_cache_requests_total", "Reads answered from the cache, and reads that missed it.", [
      [{ result: "hit" }, cache.hits],
      [{ result: "miss" }, cache.misses],
    ]),
    toGauge("dispatch_cache_bytes", "Memory of cached answers.", "sum", [[{}, cache.bytes]]),
  ];
}

const toStreams = ({ ended, open }: ReturnType<Streams["read"]>): Figure[] => [
  toGauge("dispatch_streams", "Open event streams.", "sum", [[{}, open]]),
  toCounter(
    "dispatch_streams_ended_total",
    "Closed event streams by reason: client (it disconnected), slow (it read nothing), access (its caller lost access), server (it closed), fault.",
    Object.entries(ended).map(([why, count]) => [{ why }, count]),
  ),
];

const toAttempts = ({ durations, outcomes }: AttemptCounts): Figure[] => [
  toCounter(
    "dispatch_webhook_attempts_total",
    "Webhook attempts by result: delivered, the class of another status, or the reason for no status.",
    [...outcomes].map(([outcome, count]) => [{ outcome }, count]),
  ),
  toHistogram("dispatch_webhook_attempt_duration_seconds", "Duration of webhook attempts.", [
    [{}, durations],
  ]),
];

/** Time in the queue of requests and for the thread of long reads. */
export type HttpWaits = Readonly<Record<"request", TimeCounts>>;

/** Reads counters of the process and does not query the store. */
function readStoreFigures(database: Pick<Store["database"], "activity">, waits: HttpWaits): Figure[] {
  const { connections, connectionsMax, waits: storeWaits, writersWaiting } = database.activity();
  return [
    toGauge(
      "dispatch_store_pool_connections",
      "Used and idle connections to the store, and waits for one.",
      "sum",
      Object.entries(connections).map(([state, count]) => [{ state }, count]),
    ),
    toGauge("dispatch_store_pool_connections_max", "Maximum number of connections.", "sum", [
      [{}, connectionsMax],
    ]),
    toGauge("dispatch_store_writers_waiting", "Changes that wait for other changes.", "sum", [
      [{}, writersWaiting],
    ]),
    toHistogram(
      "dispatch_store_wait_seconds",
      "Waiting time: of queued requests, for a connection, for other writers, for other processes that lock the file.",
      Object.entries({ ...waits, ...storeWaits }).map(([queue, counts]) => [{ queue }, counts]),
    ),
  ];
}

/** Only a store in a file has these. */
async function readDiskFigures(database: Pick<Store["database"], "sharedFile">): Promise<Figure[]> {
  const file = database.sharedFile();
  if (!file) return [];
  const { bavail, blocks, bsize } = await statfs(dirname(file.path));
  return [
    toGauge("dispatch_store_bytes", "Size of the store's file.", "max", [[{}, file.bytes]]),
    toGauge("dispatch_disk_free_bytes", "Free space on the disk of the store.", "min", [
      [{}, bavail * bsize],
    ]),
    toGauge("dispatch_disk_size_bytes", "Size of the disk of the store.", "min", [[{}, blocks * bsize]]),
  ];
}
