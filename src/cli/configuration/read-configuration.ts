import type { Command } from "commander";
import { DispatchError, throwIfAny } from "../../errors/errors.ts";
import { nearestWord } from "../../errors/nearest.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { findConfigName } from "../profiles/config-name.ts";
import { type ConfigOption, holdsSecret } from "./config-option.ts";
import { type ConfigFault, type ConfigValue, OptionWays } from "./option-ways.ts";
import { type ConfigEntry, parseConfigFile } from "./parse-config-file.ts";
import { type ConfigFile, readConfigFile } from "./read-config-file.ts";

/** What a command that runs for long was told, from all sides. */
export interface Configuration {
  /** The options of the command, with the values that count. */
  options: OptionValues;
  values: readonly ConfigValue[];
  file: ConfigFile | null;
  /** What should be known though nothing is wrong. */
  notes: readonly string[];
}

/** What is known of a command's configuration beside its command line. */
export interface ConfigForm {
  /** The options that a file may hold, also those that this command does not take. */
  table: readonly ConfigOption[];
  /** What counts where nothing says and the table says otherwise, by attribute. */
  fallbacks?: OptionValues;
  /** Says what is wrong with values that are right each by itself. */
  check?(configuration: Configuration): readonly string[];
}

/** The variable in which a supervisor hands its processes the text of the file that it checked; see `toGivenFile`. */
const givenFileVariable = "DISPATCH_GIVEN_CONFIG";

/**
 * The variables of a process that is to start with the very configuration that this one read: what the file says meanwhile
 * counts from SIGHUP on.
 */
export const toGivenFile = ({ file }: Configuration): Record<string, string> =>
  file === null ? {} : { [givenFileVariable]: file.text };

/**
 * Reads what the command line, the environment and the file of --config say, in this order. Throws everything that is wrong
 * with it at once.
 */
export async function readConfiguration(
  context: CliContext,
  command: Command,
  form: ConfigForm,
): Promise<Configuration> {
  const { env } = context;
  const faults: ConfigFault[] = [];
  const { entries, file } = await readFile(command, context, faults);
  const table = form.table.map((option) => new OptionWays(option, faults));
  const found = byKey(
    entries,
    table.map(({ names }) => names.key),
    faults,
  );
  const ways = table.map((way) => ({ way, entry: way.fromFile(found.get(way.names.key)) }));
  const read = ways
    .filter(({ way }) => way.isTakenBy(command))
    .map(({ entry, way }) => {
      // All are read, so that all faults are told; the first counts.
      const [given = null] = [way.fromCommandLine(command), way.fromEnvironment(env), entry].filter(Boolean);
      return { way, given };
    });
  if (file)
    refusePublic(
      file,
      read.map(({ given }) => given),
      faults,
    );
  throwFaults(faults);
  const options = { ...command.opts(), ...toOptions(read.flatMap(({ given }) => given ?? [])) };
  const values = read.map(
    ({ given, way }) => given ?? way.fromNothing(context, options, form.fallbacks?.[way.names.attribute]),
  );
  const configuration: Configuration = {
    options: { ...options, ...toOptions(values) },
    values,
    file,
    notes: toMisspelled(
      env,
      table.map(({ names }) => names.variable),
    ),
  };
  const isTyped = values.every(({ origin }) => origin === "option" || origin === "default");
  const origin = isTyped ? "option" : "file";
  throwFaults((form.check?.(configuration) ?? []).map((detail) => ({ detail, origin })));
  return configuration;
}

/** The values that count as the command knows them; those of `Settings` only where it does not read them itself. */
function toOptions(values: readonly ConfigValue[]): OptionValues {
  return Object.fromEntries(
    values
      .filter(({ option, origin }) => !option.isSetting || origin === "option" || origin === "file")
      .map(({ names, value }) => [names.attribute, value]),
  );
}

async function readFile(
  command: Command,
  context: CliContext,
  faults: ConfigFault[],
): Promise<{ entries: ConfigEntry[]; file: ConfigFile | null }> {
  const named: string | undefined = command.getOptionValue("config");
  const name = named ?? findConfigName(context);
  if (name === null) return { entries: [], file: null };
  try {
    const given = context.env[givenFileVariable];
    const file = given === undefined ? readConfigFile(name) : { name, text: given, isPublic: false };
    const { entries, faults: others } = await parseConfigFile(file);
    faults.push(...others.map((detail) => ({ detail, origin: "file" as const })));
    return { entries, file };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    faults.push({ detail: error.violations[0].detail, origin: "file" });
    return { entries: [], file: null };
  }
}

/** The entries by their keys, of those that are known and stand there once. */
function byKey(
  entries: readonly ConfigEntry[],
  keys: readonly string[],
  faults: ConfigFault[],
): ReadonlyMap<string, ConfigEntry> {
  const found = new Map<string, ConfigEntry>();
  const refuse = (detail: string) => faults.push({ detail, origin: "file" });
  for (const entry of entries) {
    const { key, keyPlace } = entry;
    const earlier = found.get(key);
    if (earlier) refuse(`${keyPlace}: ${key} stands there twice, first at ${earlier.place}.`);
    else if (keys.includes(key)) found.set(key, entry);
    else refuse(`${keyPlace}: ${toUnknownKey(key, keys)}`);
  }
  return found;
}

/** A key that is none of ours could be a line of anything, a secret too; only what looks like a name is repeated. */
function toUnknownKey(key: string, keys: readonly string[]): string {
  if (!/^[\w-]{1,40}$/.test(key)) return "this is no line like `port: 8080`.";
  const plain = key.replaceAll("-", "_").toLowerCase();
  const [, negated = ""] = /^no_(.+)$/.exec(plain) ?? [];
  if (keys.includes(negated)) return `there is no key ${key}. Write \`${negated}: false\`.`;
  const nearest = nearestWord(plain, keys);
  return `there is no key ${key}.${nearest === null ? "" : ` Did you mean ${nearest}?`}`;
}

function refusePublic(
  file: ConfigFile,
  values: readonly (ConfigValue | null)[],
  faults: ConfigFault[],
): void {
  const secret = values.find((value) => value?.origin === "file" && holdsSecret(value));
  if (!file.isPublic || !secret) return;
  const cure = `chmod o-r ${toShellWord(file.name)}`;
  const detail = `${file.name} is not used: it holds a secret (${secret.names.key}), and everybody can read it. \`${cure}\` mends that; then change the secret.`;
  faults.push({ detail, origin: "file" });
}

/** Variables that nothing reads and whose names are nearly those of ours. */
function toMisspelled(env: CliContext["env"], variables: readonly string[]): string[] {
  const withoutPrefix = (name: string) => name.replace(/^DISPATCH_/, "");
  const known = variables.map(withoutPrefix);
  return Object.keys(env)
    .filter((name) => name.startsWith("DISPATCH_") && !variables.includes(name))
    .flatMap((name) => {
      const nearest = nearestWord(withoutPrefix(name), known);
      return nearest === null
        ? []
        : [`Nothing reads the variable ${name}. Did you mean DISPATCH_${nearest}?`];
    });
}

/** What is wrong with the command line alone is told as everywhere else. */
function throwFaults(faults: readonly ConfigFault[]): void {
  const isTyped = faults.every(({ origin }) => origin === "option");
  const inOrder = faults.toSorted((one, other) => toLine(one) - toLine(other));
  const code = isTyped ? "usage" : "configuration_faulty";
  throwIfAny(inOrder.map(({ detail }) => ({ code, detail, field: null })));
}

/** The line and column that a fault of the file names; what names none stays before. */
function toLine({ detail, origin }: ConfigFault): number {
  const [, line = 0, column = 0] = (origin === "file" && /:(\d+):(\d+): /.exec(detail)) || [];
  return Number(line) * 100_000 + Number(column);
}
