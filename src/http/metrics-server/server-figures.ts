import cluster from "node:cluster";
import type { LoginAttempts } from "../../core/login-attempts.ts";
import type { ServeOptions } from "../../core/server-factory.ts";
import type { JsonLog } from "../../runtime/json-log.ts";
import { AttemptCounts } from "../../webhooks/worker-log.ts";
import { watchEventLoop } from "../event-loop-watch.ts";
import type { OnOver } from "../finished-request.ts";
import type { HandlerOptions } from "../handler.ts";
import type { Figure } from "../metrics/figures.ts";
import { type Counting, createOwnFigures, toWorkers } from "../metrics/own-figures.ts";
import type { OwnProcess } from "../metrics/process-figures.ts";
import { RequestCounts } from "../metrics/request-counts.ts";
import { createScrape } from "../metrics/scrape.ts";
import { linkFigures } from "../metrics/worker-figures.ts";
import { RequestQueues } from "../request-queues.ts";
import type { HttpServer } from "../server.ts";

interface ServerFiguresOptions {
  log: JsonLog;
  logins: LoginAttempts;
  makeUuid: () => string;
  /** Missing: no metrics. */
  own: OwnProcess | undefined;
  served: Counting["served"];
}

export interface ServerFigures {
  note: OnOver;
  /** `metrics` is missing if the metrics have their own address. */
  ofStore: Required<Pick<HandlerOptions, "cacheCounts" | "queues">> & {
    attemptCounts: AttemptCounts;
    metrics: HandlerOptions["metrics"] | undefined;
  };
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** Counts for this process, and answers scrapes for all. */
export function openServerFigures(
  { log: target, metrics, tls }: Pick<ServeOptions, "log" | "metrics" | "tls">,
  { log, logins, makeUuid, own, served }: ServerFiguresOptions,
): ServerFigures {
  const lostLines = () => target.lostLines?.() ?? 0;
  const counts = {
    attempts: new AttemptCounts(),
    cache: { hits: 0, misses: 0, bytes: 0 },
    loop: watchEventLoop(log),
    queues: new RequestQueues(),
    requests: new RequestCounts(),
  };
  const figures =
    metrics && own ? createOwnFigures({ ...counts, certificate: tls?.cert, lostLines, own, served }) : null;
  // In a worker process the supervisor listens at the address of the metrics.
  const link = figures && cluster.worker ? linkFigures(cluster.worker, figures.read) : null;
  const readAlone = async (): Promise<Figure[]> => [
    ...toWorkers({ wanted: 1, answering: 1, restarts: 0 }),
    ...((await figures?.read({ withOutbox: true })) ?? []),
  ];
  const page = metrics && {
    attempts: logins,
    scrape: createScrape(link ? link.readAll : readAlone),
    tokens: metrics.tokens,
    isLocal: () => metrics.isLocal,
  };
  let server: HttpServer | undefined;
  return {
    note: (finished, { isStream, page: name }) =>
      counts.requests.note(isStream ? { ...finished, duration_ms: null } : finished, name),
    ofStore: {
      attemptCounts: counts.attempts,
      cacheCounts: counts.cache,
      metrics: figures && !metrics?.address ? page : undefined,
      queues: counts.queues,
    },
    async listen() {
      if (!page || !metrics?.address || link) return;
      const { startMetricsServer } = await import("./metrics-server.ts");
      server = await startMetricsServer({ ...page, ...metrics.address, log, makeUuid });
    },
    async close() {
      counts.loop.stop();
      figures?.stop();
      await server?.close();
      await link?.leave();
    },
  };
}
