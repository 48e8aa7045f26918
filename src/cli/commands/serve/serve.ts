import type { Command } from "commander";
import type { EndingWord, Served, SupervisedWorker } from "../../../core/server-factory.ts";
import type { Service } from "../../../core/service.ts";
import { DispatchError } from "../../../errors/errors.ts";
import { readHold } from "../../../store/held-deliveries.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import type { SecretKeys } from "../../../store/secrets/secret-keys.ts";
import { readClock } from "../../../store/store-clock.ts";
import { addFormOption, showFirst } from "../../common-options.ts";
import { configOption, toOption } from "../../configuration/config-option.ts";
import {
  type ConfigForm,
  type Configuration,
  readConfiguration,
} from "../../configuration/read-configuration.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { formatOffset } from "../../input/option-values.ts";
import { tell } from "../../output/tell.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { toHoldNote } from "../../target/delivery-notes.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { storeOf, tellWait } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { type Ending, toEnding } from "./end-server.ts";
import { openServeLog, type ServeLog } from "./open-serve-log.ts";
import { readTls } from "./read-tls.ts";
import { serveOnlyOptions, serveOptions, servingOptions } from "./serve-options.ts";
import { serveService, toServiceOptions } from "./serve-service.ts";
import { showAddress } from "./show-address.ts";
import { isSupervised, superviseUntilInterrupted } from "./supervise.ts";

export function serveCommand(context: CliContext): Command {
  const command = defineBuiltin("serve", "write").description(
    "Serve a store over HTTP: the whole interface, for clients with tokens (`dispatch-cli tokens create`).",
  );
  for (const option of serveOnlyOptions) command.addOption(toOption(option));
  addServingOptions(command).option(
    "--print-config",
    "check the configuration, show each value and its source, and end; with -o yaml as a file for --config",
  );
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli serve --port 8080");
  return command.action(async () => {
    const configuration = await readConfiguration(context, command, serveForm);
    const { options } = configuration;
    const settings = readSettings(context, options);
    if (options.printConfig) return printConfiguration(context, settings, configuration);
    if (options.memory) return (await import("./serve-memory.ts")).serveMemory(context, settings, options);
    const data = storeOf(settings).value;
    const supervisor = await context.http.findSupervisor();
    if (supervisor) await serveForSupervisor(context, supervisor, settings, data, options);
    else if (isSupervised(configuration))
      await superviseUntilInterrupted(context, settings, data, configuration);
    else await serveUntilInterrupted(context, settings, data, options, () => []);
  });
}

async function printConfiguration(
  context: CliContext,
  settings: Settings,
  configuration: Configuration,
): Promise<void> {
  const { showConfiguration } = await import("../../configuration/show-configuration.ts");
  const values = configuration.values.map((value) =>
    value.names.key === "data" && value.given === null && !configuration.options.memory
      ? { ...value, given: storeOf(settings).value, source: storeOf(settings).source }
      : value,
  );
  for (const note of configuration.notes) tell(context.stderr, note);
  await showConfiguration(context, settings, { values });
}

export function addServingOptions(command: Command): Command {
  for (const option of servingOptions) command.addOption(toOption(option));
  return showFirst(command.addOption(configOption()), firstOptions);
}

const firstOptions = [
  ...["data", "serve", "port", "host", "memory", "jobs", "force", "workers", "config"],
  ...["tls-cert", "tls-key", "log-format", "log-level"],
];

/** Prints the address on stdout. Returns when all running requests are answered. */
export async function serveUntilInterrupted(
  context: CliContext,
  settings: Settings,
  data: string,
  options: OptionValues,
  toHints: (url: string) => string[],
): Promise<void> {
  const interrupted = new Promise<void>((resolve) => context.onInterrupt(resolve));
  const log = await openServeLog(context, settings, options);
  context.host?.onReload(() =>
    log.note(
      "SIGHUP: no reload, because the server has neither --config nor --workers nor an option that names a file.",
    ),
  );
  await serveUntil(context, log, data, options, toEnding(interrupted), ({ url, notes }) =>
    showAddress(context, log, settings, { url, notes }, data, toHints(url)),
  );
}

/** For a process of a supervisor, which provides the address and ends the process. */
async function serveForSupervisor(
  context: CliContext,
  supervisor: SupervisedWorker,
  settings: Settings,
  data: string,
  options: OptionValues,
): Promise<void> {
  const asked = new Promise<EndingWord>((resolve) => supervisor.onEnd(resolve));
  const stopped = new Promise<void>((resolve) =>
    supervisor.onEnd((word) => {
      if (word === "stop") resolve();
    }),
  );
  const log = await openServeLog(context, settings, options);
  try {
    await serveUntil(context, log, data, options, { asked, stopped }, (served) => supervisor.ready(served));
  } finally {
    supervisor.leave();
  }
}

async function serveUntil(
  context: CliContext,
  log: ServeLog,
  data: string,
  options: OptionValues,
  ending: Ending,
  onReady: (served: Served) => void,
): Promise<void> {
  const { openService } = await import("../../../core/open-service.ts");
  const secretKeys = readSecretKeys(context, readSettings(context, options));
  const serviceOptions = {
    ...toServiceOptions(options),
    data,
    env: context.env,
    secretKeys,
    onWait: () => tellWait(context, toShownStore(data)),
  };
  const service = openService(serviceOptions);
  const toNotes = async () => [
    ...(await service.store.database.check()),
    ...(await toKeyNotes(service, secretKeys)),
    ...(await toClockNotes(service)),
    ...(await toHoldNotes(service, data)),
  ];
  await serveService(context, log, { ending, onReady, options, service, serviceOptions, toNotes });
}

/** Warns that deliveries wait for a key. Throws secret_key_wrong. */
async function toKeyNotes({ store }: Service, keys: SecretKeys): Promise<string[]> {
  const { checkSecretKeys } = await import("../../../store/life/reseal-secrets.ts");
  await checkSecretKeys(store, keys);
  const { lacksKey } = await import("../../../store/life/reseal-secrets.ts");
  if (!(await lacksKey(store, keys))) return [];
  return [
    "This server lacks a key of the store's encrypted secrets: deliveries that need it wait (`dispatch-cli secrets status`).",
  ];
}

/** A sandbox's clock explains the times in its responses. */
async function toClockNotes(service: Service): Promise<string[]> {
  const { offset_ms } = await readClock(service);
  if (offset_ms === 0) return [];
  return [`The clock of this sandbox store is ${formatOffset(offset_ms)}; \`dispatch-cli clock\` moves it.`];
}

async function toHoldNotes({ store }: Service, data: string): Promise<string[]> {
  const hold = await readHold(store.metadata);
  return hold ? [toHoldNote(hold, data)] : [];
}

export const serveForm: ConfigForm = { table: serveOptions, check: checkTogether };

/** Returns contradictions between options. */
function checkTogether({ options, values }: Configuration): string[] {
  // A user may try a production configuration with --memory.
  const isTyped = (key: string) =>
    values.some(({ names, origin }) => names.key === key && origin === "option");
  const hasWorkers = Number(options.workers) > 1;
  const { demo, memory, resetOn } = options;
  const faults: [isFault: boolean, detail: string][] = [
    [
      memory === true && hasWorkers && isTyped("workers"),
      "--memory needs a single process, because others cannot see its store. Omit --workers.",
    ],
    [memory === true && isTyped("data"), "--memory serves its own store: omit --data."],
    [memory !== true && demo === false, "--no-demo belongs to --memory."],
    [
      memory !== true && hasWorkers && resetOn !== undefined,
      "--reset-on needs a single process: omit --workers.",
    ],
  ];
  return [...faults.filter(([isFault]) => isFault).map(([, detail]) => detail), ...toTlsFaults(options)];
}

function toTlsFaults(options: OptionValues): string[] {
  try {
    readTls(options);
    return [];
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    return error.violations.map(({ detail }) => detail);
  }
}
