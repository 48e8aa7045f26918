import type { WorkersOptions } from "../../../core/server-factory.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { toDrain } from "../../outcome/drain.ts";
import type { Settings } from "../../settings.ts";
import { toMetrics } from "./metrics-options.ts";
import { openServeLog, type ServeLog } from "./open-serve-log.ts";
import { parseLogLevel } from "./serve-service.ts";
import { showAddress } from "./show-address.ts";

/**
 * Whether a server is processes that another supervises: where there are several, and where SIGHUP can change something, as
 * only a process that is started anew has all of a new configuration (OP-324).
 */
export function isSupervised({ resetOn, tlsCert, workers }: OptionValues): boolean {
  return Number(workers) > 1 || (tlsCert !== undefined && resetOn === undefined);
}

/** Keeps processes serving, starts them anew at SIGHUP, and ends them together. */
export async function superviseUntilInterrupted(
  context: CliContext,
  settings: Settings,
  data: string,
  options: OptionValues,
): Promise<void> {
  let isEnding = false;
  const interrupted = new Promise<null>((resolve) =>
    context.onInterrupt(() => {
      isEnding = true;
      resolve(null);
    }),
  );
  const log = await openServeLog(context, settings, options);
  const workers = await context.http.startWorkers(toWorkersOptions(options, log));
  const reload = async () => {
    await workers.ready;
    log.note("SIGHUP: processes with the configuration of now take the places of those that serve.");
    try {
      await workers.replace(toWorkersOptions(options, log));
      if (!isEnding) log.note("Every process has the configuration of now.");
    } catch (error) {
      if (isEnding) return;
      const why = error instanceof Error && "exitCode" in error ? "the line above says why" : String(error);
      log.note(`The new configuration is not served (${why}): what served before goes on.`);
    }
  };
  context.onReload?.(() => void reload().catch(() => undefined));
  try {
    const served = await Promise.race([workers.ready, interrupted]);
    const count = Number(options.workers);
    if (served)
      showAddress(context, log, settings, served, data, count > 1 ? [`${count} processes serve it.`] : []);
    await interrupted;
  } catch (error) {
    // The process that failed told it already.
    if (error instanceof Error && "exitCode" in error) throw new AlreadyShown(Number(error.exitCode));
    throw error;
  } finally {
    await workers.stop();
  }
}

const toWorkersOptions = (options: OptionValues, log: ServeLog): WorkersOptions => ({
  count: Number(options.workers),
  killAfterMs: toDrain(options).killMs,
  log,
  logLevel: parseLogLevel(options.logLevel ?? "info"),
  metrics: toMetrics(options),
  ...(options.socket !== undefined && { socketPath: String(options.socket) }),
  tell: log.note,
});
