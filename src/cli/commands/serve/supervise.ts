import type { WorkersOptions } from "../../../core/server-factory.ts";
import { type Configuration, toGivenFile } from "../../configuration/read-configuration.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { toDrain } from "../../outcome/drain.ts";
import type { Settings } from "../../settings.ts";
import { toMetrics } from "./metrics-options.ts";
import { openServeLog, type ServeLog } from "./open-serve-log.ts";
import { showAddress } from "./show-address.ts";

/** Several processes, or files that may change by SIGHUP: only a new process can apply all of a configuration. */
export function isSupervised({ file, options, values }: Configuration): boolean {
  const { resetOn, workers } = options;
  const canChange = file !== null || values.some(({ digest }) => digest !== null);
  return Number(workers) > 1 || (canChange && resetOn === undefined);
}

export async function superviseUntilInterrupted(
  context: CliContext,
  settings: Settings,
  data: string,
  configuration: Configuration,
): Promise<void> {
  const { options } = configuration;
  let isEnding = false;
  const interrupted = new Promise<null>((resolve) =>
    context.onInterrupt(() => {
      isEnding = true;
      resolve(null);
    }),
  );
  const log = await openServeLog(context, settings, options);
  const workers = await context.http.startWorkers(toWorkersOptions(configuration, data, log));
  let served = configuration;
  let reloads = 0;
  const reload = async () => {
    await workers.ready;
    if (isEnding) return log.note("SIGHUP: no reload, because the server is ending.");
    reloads += 1;
    const own = reloads;
    log.note("SIGHUP: new processes take over with the current configuration.");
    try {
      const now = await served.reread();
      for (const line of [...now.changes, ...now.refusals]) log.note(line);
      const { notes } = await workers.replace(toWorkersOptions(now, data, log));
      for (const note of notes) log.note(note);
      served = now;
      if (!isEnding) log.note("Every process has the current configuration.");
    } catch (error) {
      if (isEnding) return;
      if (own < reloads) return log.note("A later SIGHUP replaces this one.");
      const why = error instanceof Error && "exitCode" in error ? "the line above says why" : toReason(error);
      log.note(`The new configuration failed (${why}): the old processes continue.`);
    }
  };
  context.host?.onReload(() => void reload().catch(() => undefined));
  try {
    const ready = await Promise.race([workers.ready, interrupted]);
    const count = Number(options.workers);
    if (ready)
      showAddress(context, log, settings, ready, data, count > 1 ? [`${count} processes serve it.`] : []);
    await interrupted;
  } catch (error) {
    // The failed process has already reported the error.
    if (error instanceof Error && "exitCode" in error) throw new AlreadyShown(Number(error.exitCode));
    throw error;
  } finally {
    await workers.stop();
  }
}

const toWorkersOptions = (configuration: Configuration, data: string, log: ServeLog): WorkersOptions => {
  const { options } = configuration;
  return {
    count: Number(options.workers),
    host: String(options.host),
    port: Number(options.port),
    killAfterMs: toDrain(options).killMs,
    log,
    logLevel: String(options.logLevel),
    metrics: toMetrics(options),
    ...(options.socket !== undefined && { socketPath: String(options.socket) }),
    tell: log.note,
    variables: () => ({ ...toGivenFile(configuration), ...toFoundStore(configuration, data) }),
  };
};

/** Fixes the default store at the start: a later `init` may create another. */
const toFoundStore = ({ values }: Configuration, data: string): Record<string, string> =>
  values.some(({ given, names }) => names.key === "data" && given === null) ? { DISPATCH_DATA: data } : {};

const toReason = (error: unknown) =>
  error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
