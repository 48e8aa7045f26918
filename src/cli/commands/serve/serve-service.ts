import type { ServiceOptions } from "../../../core/open-service.ts";
import type { RateLimit, RunningServer, Served } from "../../../core/server-factory.ts";
import type { Service } from "../../../core/service.ts";
import { failure } from "../../../errors/errors.ts";
import type { LogLevel } from "../../../runtime/log-line.ts";
import { isTracingAsked } from "../../../runtime/tracing.ts";
import { demoHook } from "../../../store/metadata-keys.ts";
import { readClock } from "../../../store/store-clock.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { type Ending, endServer } from "./end-server.ts";
import { toListenOptions } from "./listen-options.ts";
import { toMetrics, toMetricsNotes } from "./metrics-options.ts";
import type { ServeLog } from "./open-serve-log.ts";
import { toTlsNotes } from "./read-tls.ts";

export const toServiceOptions = (options: OptionValues) => ({
  allowsHaulerSignup: options.allowHaulerSignup === true,
  allowsPrivateHooks: options.allowPrivateHooks === true,
  fonts: options.font as string[],
  hooksPerTenantMax: options.hooksPerTenant as number,
  usesThreads: true,
});

export interface ServedService {
  ending: Ending;
  onReady: (served: Served) => void;
  options: OptionValues;
  service: Service;
  serviceOptions: ServiceOptions;
  toNotes(): Promise<string[]>;
}

export async function serveService(
  context: CliContext,
  log: ServeLog,
  { ending, onReady, options, service, serviceOptions, toNotes }: ServedService,
): Promise<void> {
  let server: RunningServer | undefined;
  try {
    const listening = toListenOptions(options);
    const notes = [
      ...(await toNotes()),
      ...toMetricsNotes(options),
      ...toTlsNotes(listening.tls, service.machineClock.now()),
    ];
    log.quiet(await findDemoHook(service));
    const baseline = await findBaseline(service, serviceOptions, options);
    const tracing = isTracingAsked(context.env) ? await openTracing(log) : null;
    server = await context.http.startServer(service, {
      ...listening,
      answerBytesMax: (options.cacheMb as number) * 1024 * 1024,
      ...(options.rateLimit !== null && { rateLimit: options.rateLimit as RateLimit }),
      delivers: options.deliver !== false,
      logLevel: options.logLevel as LogLevel,
      inspects: options.inspect === true,
      logsTokens: log.isText,
      log,
      metrics: toMetrics(options),
      ...(options.slowMs !== undefined && { slowMs: options.slowMs as number }),
      ...(tracing && { tracing }),
      restore: baseline && (() => baseline.restore()),
      usesThreads: true,
    });
    if (options.resetOn) resetOnSignal(context, log, server);
    onReady({ url: server.url, notes });
    await endServer(context, options, ending, server, () => closeStores(service, server));
  } catch (error) {
    await closeStores(service, server);
    throw error;
  }
}

async function openTracing(log: ServeLog) {
  const { openTelemetry } = await import("../../../runtime/open-telemetry.ts");
  return openTelemetry(log.note);
}

/** A reset replaces the opened store. */
async function closeStores(first: Service, server: RunningServer | undefined): Promise<void> {
  await first.store.close();
  await server?.service().store.close();
}

/** Not available in a server with several processes. */
async function findBaseline(service: Service, serviceOptions: ServiceOptions, options: OptionValues) {
  const { sandbox } = await readClock(service);
  if (!sandbox && options.resetOn)
    throw failure(
      "usage",
      "--reset-on is for sandbox stores: `demo`, `init --sandbox` and `serve --memory` create them.",
    );
  if (!sandbox || Number(options.workers ?? 1) > 1) return null;
  const { takeBaseline } = await import("../../../core/baseline.ts");
  return takeBaseline(service, serviceOptions);
}

function resetOnSignal(context: CliContext, log: ServeLog, server: RunningServer): void {
  context.host?.onReset(() => {
    server.reset().then(
      () => log.note("The sandbox store was reset to its start."),
      (error: unknown) =>
        log.note(`The sandbox store was not reset: ${error instanceof Error ? error.message : error}`),
    );
  });
}

/** Nothing listens at this webhook's address, unless the user starts a receiver. */
async function findDemoHook({ store }: Service): Promise<number | null> {
  const id = await store.metadata.get(demoHook);
  return id === undefined ? null : Number(id);
}
