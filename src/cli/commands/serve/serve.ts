import { Command, Option } from "commander";
import type { Served, SupervisedWorker } from "../../../core/server-factory.ts";
import { hooksPerTenantDefault, type Service } from "../../../core/service.ts";
import { failure } from "../../../errors/errors.ts";
import { readHold } from "../../../store/held-deliveries.ts";
import { checkSecretKeys, lacksKey } from "../../../store/life/check-secret-keys.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import type { SecretKeys } from "../../../store/secrets/secret-keys.ts";
import { readClock } from "../../../store/store-clock.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { formatOffset } from "../../input/duration.ts";
import { parseRateLimit } from "../../input/rate-limit.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { addDrainOption, toDrain } from "../../outcome/drain.ts";
import { showFacts } from "../../output/show-facts.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { toHoldNote } from "../../target/delivery-notes.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { storeOf, tellWait } from "../../target/target.ts";
import { toMetrics } from "./metrics-options.ts";
import { logFormats, openServeLog, type ServeLog } from "./open-serve-log.ts";
import { logLevels, parseLogLevel, serveService, toServiceOptions } from "./serve-service.ts";

/** Serves a store over HTTP until it is asked to end. */
export function serveCommand(context: CliContext): Command {
  const command = new Command("serve")
    .description(
      "Serve a store over HTTP: the whole interface, for clients with tokens (`dispatch-cli tokens create`).",
    )
    .option("--data <store>", "the store to serve, a file or postgres://… (DISPATCH_DATA)")
    .option("--memory", "serve a sandbox store in memory, with the records of the demo; gone at the end")
    .option("--no-demo", "with --memory: a tenant and a location alone")
    .option("--secret-key-file <file>", "file of mode 0600 that holds the key of encrypted secrets")
    .option("--workers <n>", "processes that serve together at one address", parseWorkers, 1)
    .option("--allow-hauler-signup", "let anybody sign up as a hauler (POST /haulers), without a token");
  addFormOption(addServeOptions(command)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli serve --port 8080",
  );
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (options.memory) return (await import("./serve-memory.ts")).serveMemory(context, settings, options);
    if (options.demo === false) throw failure("usage", "--no-demo belongs to --memory.");
    const data = storeOf(settings).value;
    const supervisor = await context.http.findSupervisor();
    if (supervisor) await serveForSupervisor(context, supervisor, settings, data, options);
    else if (options.workers > 1 && options.resetOn)
      throw failure("usage", "--reset-on needs a single process: leave --workers out.");
    else if (options.workers > 1) await superviseUntilInterrupted(context, settings, data, options);
    else await serveUntilInterrupted(context, settings, data, options, () => []);
  });
}

function parseWorkers(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 256) return count;
  throw failure("usage", `--workers must be a number from 1 to 256, not "${text}".`);
}

/** The options of everything that serves. */
export function addServeOptions(command: Command, logsByDefault = "info"): Command {
  return addDrainOption(command)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on, 0 for any free one", parsePort, 8080)
    .addOption(
      new Option("--reset-on <signal>", "bring a sandbox store back to what it was at the start").choices([
        "SIGUSR2",
      ]),
    )
    .option("--cache-mb <n>", "MiB of answers kept to give them again, 0 for none", parseCache, 64)
    .option("--no-deliver", "leave the outbox to other workers (`hooks deliver --watch`)")
    .option("--allow-private-hooks", "deliver to private addresses too, whatever the store's policy is")
    .option(
      "--hooks-per-tenant <n>",
      "active webhooks that a tenant may have",
      parseHookCount,
      hooksPerTenantDefault,
    )
    .option(
      "--rate-limit <n>[/<burst>]",
      "requests a second of each token, and at once; off for no limit (by default 100/200, off on loopback)",
      parseRateLimit,
    )
    .option(
      "--metrics-token-file <file>",
      "file of mode 0600 with the tokens of scrapers, one a line; without it /metrics needs none",
    )
    .option(
      "--metrics-port <n>",
      "port of /metrics, in place of --port; 0 for any free one",
      parseMetricsPort,
    )
    .option("--metrics-host <address>", "address to listen on for it", "127.0.0.1")
    .option(
      "--font <file>",
      "font for documents; repeatable",
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .option("--log-level <level>", `${logLevels.join(", ")}; by default ${logsByDefault}`)
    .option("--log-format <form>", `${logFormats.join(", ")}; by default text on a terminal, else json`);
}

function parseCache(text: string): number {
  const size = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (size <= 65_536) return size;
  throw failure("usage", `--cache-mb must be a number from 0 to 65536, not "${text}".`);
}

function parseHookCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw failure("usage", `--hooks-per-tenant must be a number from 1 to 999999, not "${text}".`);
}

const parsePort = toPortParser("--port");
const parseMetricsPort = toPortParser("--metrics-port");

function toPortParser(option: string) {
  return (text: string): number => {
    const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (port <= 65_535) return port;
    throw failure("usage", `${option} must be a number from 0 to 65535, not "${text}".`);
  };
}

/** Serves, says where on stdout, and returns when the program is asked to end and all running requests are answered. */
export async function serveUntilInterrupted(
  context: CliContext,
  settings: Settings,
  data: string,
  options: OptionValues,
  toHints: (url: string) => string[],
): Promise<void> {
  const interrupted = new Promise<void>((resolve) => context.onInterrupt(resolve));
  const log = await openServeLog(context, settings, options);
  await serveUntil(context, log, data, options, interrupted, ({ url, notes }) =>
    showAddress(context, log, settings, { url, notes }, data, toHints(url)),
  );
}

/** Serves as one of several processes: the supervisor says where, and when to end. */
async function serveForSupervisor(
  context: CliContext,
  supervisor: SupervisedWorker,
  settings: Settings,
  data: string,
  options: OptionValues,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => supervisor.onStop(resolve));
  const log = await openServeLog(context, settings, options);
  try {
    await serveUntil(context, log, data, options, stopped, (served) => supervisor.ready(served));
  } finally {
    supervisor.leave();
  }
}

/** Keeps several processes serving, and ends them together. */
async function superviseUntilInterrupted(
  context: CliContext,
  settings: Settings,
  data: string,
  options: OptionValues,
): Promise<void> {
  const interrupted = new Promise<null>((resolve) => context.onInterrupt(() => resolve(null)));
  const log = await openServeLog(context, settings, options);
  const count = Number(options.workers);
  const workers = await context.http.startWorkers(count, {
    killAfterMs: toDrain(options).killMs,
    log,
    logLevel: parseLogLevel(options.logLevel ?? "info"),
    metrics: toMetrics(options),
    tell: log.note,
  });
  try {
    const served = await Promise.race([workers.ready, interrupted]);
    if (served) showAddress(context, log, settings, served, data, [`${count} processes serve it.`]);
    await interrupted;
  } catch (error) {
    // The process that failed told it already.
    if (error instanceof Error && "exitCode" in error) throw new AlreadyShown(Number(error.exitCode));
    throw error;
  } finally {
    await workers.stop();
  }
}

async function serveUntil(
  context: CliContext,
  log: ServeLog,
  data: string,
  options: OptionValues,
  ended: Promise<void>,
  onReady: (served: Served) => void,
): Promise<void> {
  const { openService } = await import("../../../local/open-service.ts");
  const secretKeys = readSecretKeys(context, readSettings(context, options));
  const serviceOptions = {
    ...toServiceOptions(options),
    data,
    secretKeys,
    onWait: () => tellWait(context, toShownStore(data)),
  };
  const service = openService(serviceOptions);
  const toNotes = async () => [
    ...(await service.store.check()),
    ...(await toKeyNotes(service, secretKeys)),
    ...(await toClockNotes(service)),
    ...(await toHoldNotes(service, data)),
  ];
  await serveService(context, log, { ended, onReady, options, service, serviceOptions, toNotes });
}

/** Tells that deliveries wait for a key. Throws secret_key_wrong. */
async function toKeyNotes({ store }: Service, keys: SecretKeys): Promise<string[]> {
  await checkSecretKeys(store, keys);
  if (!(await lacksKey(store, keys))) return [];
  return [
    "This server lacks a key of the store's encrypted secrets: deliveries that need it wait (`dispatch-cli secrets status`).",
  ];
}

/** Tells of a sandbox's clock, so that nobody wonders about the times in the answers. */
async function toClockNotes(service: Service): Promise<string[]> {
  const { offset_ms } = await readClock(service);
  if (offset_ms === 0) return [];
  return [`The clock of this sandbox store is ${formatOffset(offset_ms)}; \`dispatch-cli clock\` moves it.`];
}

async function toHoldNotes({ store }: Service, data: string): Promise<string[]> {
  const hold = await readHold(store.metadata);
  return hold ? [toHoldNote(hold, data)] : [];
}

function showAddress(
  context: CliContext,
  log: ServeLog,
  { form }: Settings,
  { url, notes }: Served,
  data: string,
  hints: readonly string[],
): void {
  for (const note of notes) log.note(note);
  const lines = [`Serving ${toShownStore(data)} at ${url} (Ctrl-C ends it).`, "", ...hints];
  showFacts(context, { form }, { url }, lines);
}
