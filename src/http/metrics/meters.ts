import cluster from "node:cluster";
import type { MetricsOptions } from "../../core/server-factory.ts";
import { AttemptCounts } from "../../webhooks/attempt-counts.ts";
import type { CacheCounts } from "../answer-memory.ts";
import { watchEventLoop } from "../event-loop-watch.ts";
import { RequestQueues } from "../request-queues.ts";
import type { Counting } from "./own-figures.ts";
import { RequestCounts } from "./request-counts.ts";
import { type ServedMetrics, type ServeMetricsOptions, serveMetrics } from "./serve-metrics.ts";

/** What is measured of a server, from its start on. */
export interface Meters {
  counts: { attempts: AttemptCounts; cache: CacheCounts; queues: RequestQueues; requests: RequestCounts };
  /** null where nobody asks for the figures. */
  metrics: ServedMetrics | null;
  close(): Promise<void>;
}

interface MetersOptions
  extends Pick<ServeMetricsOptions, "log" | "logins" | "makeUuid">,
    Pick<Counting, "lostLines" | "served"> {
  metrics: MetricsOptions | undefined;
  own: Counting["own"] | undefined;
}

/** Begins to measure; with options for them, the figures are told to who scrapes them. */
export function createMeters(options: MetersOptions): Meters {
  const { log, logins, lostLines, makeUuid, own, served } = options;
  const loop = watchEventLoop(log);
  const counts = {
    attempts: new AttemptCounts(),
    cache: { hits: 0, misses: 0, bytes: 0 },
    queues: new RequestQueues(),
    requests: new RequestCounts(),
  };
  const metrics =
    options.metrics && own
      ? serveMetrics({
          ...options.metrics,
          counting: { ...counts, loop, lostLines, own, served },
          log,
          logins,
          makeUuid,
          worker: cluster.worker ?? null,
        })
      : null;
  return {
    counts,
    metrics,
    async close() {
      loop.stop();
      await metrics?.close();
    },
  };
}
