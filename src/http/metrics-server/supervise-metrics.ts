import { randomUUID } from "node:crypto";
import { createLoginAttempts } from "../../core/login-attempts.ts";
import type { MetricsOptions, WorkersOptions } from "../../core/server-factory.ts";
import { openJsonLog } from "../../runtime/json-log.ts";
import { toLostLines } from "../metrics/own-figures.ts";
import { type OwnProcess, readProcessFigures } from "../metrics/process-figures.ts";
import { createScrape } from "../metrics/scrape.ts";
import { WorkerFigures } from "../metrics/worker-figures.ts";
import type { HttpServer } from "../server.ts";

/** Available even when no worker process runs. */
export interface SupervisedMetrics {
  figures: WorkerFigures;
  use(options: WorkersOptions): Promise<void>;
  close(): Promise<void>;
}

export function superviseMetrics({ log }: WorkersOptions, own: OwnProcess): SupervisedMetrics {
  const figures = new WorkerFigures(async () => [
    toLostLines(log.lostLines?.() ?? 0),
    ...(await readProcessFigures(own)),
  ]);
  let current: MetricsOptions | undefined;
  let server: HttpServer | undefined;
  return {
    figures,
    async use({ count, logLevel, metrics }) {
      const former = server;
      const address = metrics?.address ?? null;
      const { host, port } = address ?? {};
      const isSame = current?.address?.host === host && current?.address?.port === port;
      if (address && !isSame) {
        const { startMetricsServer } = await import("./metrics-server.ts");
        server = await startMetricsServer({
          ...address,
          attempts: createLoginAttempts(),
          log: openJsonLog(logLevel, log),
          makeUuid: () => randomUUID(),
          scrape: createScrape(() => figures.read()),
          tokens: () => current?.tokens() ?? null,
          isLocal: () => current?.isLocal ?? true,
        });
      } else if (!address) server = undefined;
      figures.wanted = count;
      current = metrics;
      if (former !== server) await former?.close();
    },
    close: async () => server?.close(),
  };
}
