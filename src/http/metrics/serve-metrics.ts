import type { Worker } from "node:cluster";
import type { Logger } from "pino";
import type { LoginAttempts } from "../../auth/login-attempts.ts";
import type { MetricsOptions } from "../../core/server-factory.ts";
import type { HttpServer } from "../server.ts";
import type { Figure } from "./figures.ts";
import type { MetricsPageOptions } from "./metrics-page.ts";
import { type Counting, createOwnFigures, toWorkers } from "./own-figures.ts";
import { createScrape } from "./scrape.ts";
import { linkFigures } from "./worker-figures.ts";

export interface ServeMetricsOptions extends MetricsOptions {
  counting: Counting;
  log: Logger;
  logins: LoginAttempts;
  makeUuid: () => string;
  /** Of a process that serves with others: its link to the supervisor, which has the address of the figures. */
  worker: Worker | null;
}

/** The figures of a process that serves. */
export interface ServedMetrics {
  /** Missing where the figures have an address of their own. */
  page: MetricsPageOptions | undefined;
  /** Listens at the address of their own. Throws a usage error when it cannot. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** Answers scrapes with the figures of this process, and of those that serve with it. */
export function serveMetrics(options: ServeMetricsOptions): ServedMetrics {
  const { address, counting, log, logins, makeUuid, tokens, worker } = options;
  const own = createOwnFigures(counting);
  const link = worker && linkFigures(worker, own.read);
  const readAlone = async (): Promise<Figure[]> => [
    ...toWorkers({ wanted: 1, answering: 1, restarts: 0 }),
    ...(await own.read({ withOutbox: true })),
  ];
  const page = { attempts: logins, scrape: createScrape(link ? link.readAll : readAlone), tokens };
  let server: HttpServer | undefined;
  return {
    page: address ? undefined : page,
    async listen() {
      if (!address || worker) return;
      const { startMetricsServer } = await import("./metrics-server.ts");
      server = await startMetricsServer({ ...page, ...address, log, makeUuid });
    },
    async close() {
      own.stop();
      await server?.close();
      await link?.leave();
    },
  };
}
