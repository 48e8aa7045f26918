import { randomUUID } from "node:crypto";

import { createLoginAttempts } from "../../auth/login-attempts.ts";
import type { WorkersOptions } from "../../core/server-factory.ts";
import { openJsonLog } from "../../runtime/json-log.ts";
import { toLostLines } from "../metrics/own-figures.ts";
import { type OwnProcess, readProcessFigures } from "../metrics/process-figures.ts";
import { createScrape } from "../metrics/scrape.ts";
import { WorkerFigures } from "../metrics/worker-figures.ts";
import type { HttpServer } from "../server.ts";

/** The figures of processes that serve together, at their supervisor, which is there also when none of them is. */
export interface SupervisedMetrics {
  figures: WorkerFigures;
  /** Listens at the address of the figures, if they have one. Throws a usage error when it cannot. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export function superviseMetrics(
  count: number,
  { log, logLevel, metrics }: Pick<WorkersOptions, "log" | "logLevel" | "metrics">,
  own: OwnProcess,
): SupervisedMetrics {
  const figures = new WorkerFigures(count, async () => [
    toLostLines(log.lostLines?.() ?? 0),
    ...(await readProcessFigures(own)),
  ]);
  let server: HttpServer | undefined;
  return {
    figures,
    async listen() {
      if (!metrics?.address) return;
      const { startMetricsServer } = await import("./metrics-server.ts");
      server = await startMetricsServer({
        ...metrics.address,
        attempts: createLoginAttempts(),
        log: openJsonLog(logLevel, log),
        makeUuid: () => randomUUID(),
        scrape: createScrape(() => figures.read()),
        tokens: metrics.tokens,
      });
    },
    close: async () => server?.close(),
  };
}
