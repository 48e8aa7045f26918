import type { Command } from "commander";
import { throwIfAny } from "../../errors/errors.ts";
import { nearestWord } from "../../errors/nearest.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { type ConfigEntry, type ConfigFile, givenFileVariable, readEntries } from "./config-file.ts";
import { type ConfigFault, type ConfigOption, holdsSecret, toShownText } from "./config-option.ts";
import { type ConfigValue, OptionWays } from "./option-ways.ts";

/** What a command that runs for long was told, from all sides. */
export interface Configuration {
  /** The options of the command, with the values that count. */
  options: OptionValues;
  values: readonly ConfigValue[];
  file: ConfigFile | null;
  /** What should be known though nothing is wrong. */
  notes: readonly string[];
  /** What is otherwise than in the configuration before it, in words; secrets are masked. */
  changes: readonly string[];
  /** What was to be otherwise, and is not before a restart. */
  refusals: readonly string[];
  /**
   * Reads the file, and the files that options name, anew; options and environment are as they were. Throws like
   * `readConfiguration`: then all stays as it is.
   */
  reread(): Promise<Configuration>;
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

/**
 * Reads what the command line, the environment and the file of --config say, in this order. Throws everything that is wrong
 * with it at once. `before` is what a running server was told: what it cannot change without a restart stays so.
 */
export async function readConfiguration(
  context: CliContext,
  command: Command,
  form: ConfigForm,
  before?: Configuration,
): Promise<Configuration> {
  const faults: ConfigFault[] = [];
  const table = form.table.map((option) => new OptionWays(withEnvironment(option, context.env), faults));
  const { entries, file } = await readEntries(
    context,
    command,
    table.map(({ names }) => names.key),
    faults,
  );
  const read = readAll(context, command, table, entries);
  if (file) refusePublic(file, read, faults);
  throwFaults(faults);
  const kept = read.map((one) => ({ ...one, ...keepValue(one, before) }));
  const options = { ...command.opts(), ...toOptions(kept.flatMap(({ given }) => given ?? [])) };
  const values = kept.map(
    ({ given, way }) => given ?? way.fromNothing(context, options, form.fallbacks?.[way.names.attribute]),
  );
  const variables = table.map(({ names }) => names.variable);
  const configuration: Configuration = {
    options: { ...options, ...toOptions(values) },
    values,
    file,
    notes: toMisspelled(context.env, variables),
    changes: before ? toChanges(before.values, values) : [],
    refusals: kept.flatMap(({ refusal }) => refusal ?? []),
    reread: () => readConfiguration(context, command, form, configuration),
  };
  const isTyped = values.every(({ origin }) => origin === "option" || origin === "default");
  const origin = isTyped ? "option" : "file";
  throwFaults((form.check?.(configuration) ?? []).map((detail) => ({ detail, origin })));
  return configuration;
}

/** What gives a value to an option; null: nothing does. */
interface ReadWay {
  way: OptionWays;
  given: ConfigValue | null;
}

/** Reads the options that the command takes. All that is given is checked, also where another way goes before it. */
function readAll(
  context: CliContext,
  command: Command,
  table: readonly OptionWays[],
  entries: ReadonlyMap<string, ConfigEntry>,
): ReadWay[] {
  const read = table.map((way) => {
    const entry = way.fromFile(entries.get(way.names.key));
    if (!way.isTakenBy(command)) return [];
    const [given = null] = [way.fromCommandLine(command), way.fromEnvironment(context.env), entry].filter(
      Boolean,
    );
    return [{ way, given }];
  });
  return read.flat();
}

/** The former value where a running server cannot take the new one, and a sentence that says so. */
function keepValue({ given, way }: ReadWay, before?: Configuration): Partial<ReadWay> & { refusal?: string } {
  const old = before?.values.find(({ names }) => names.key === way.names.key);
  if (!old?.option.needsRestart) return {};
  if (given === null) return old.origin === "default" ? {} : { given: old, refusal: toRefusal(old, null) };
  // What differs in its secret alone is the same place.
  if (toShownText(given) === toShownText(old)) return {};
  return { given: old.origin === "default" ? null : old, refusal: toRefusal(old, given) };
}

/**
 * The variables of a process that is to start with what this one read of its file, whatever stands there meanwhile: a process
 * that is started again reads no file that is half edited.
 */
export function toGivenFile({ file, values }: Configuration): Record<string, string> {
  if (file === null) return {};
  const read = values.filter(({ origin }) => origin === "file");
  const given = Object.fromEntries(read.map(({ given, names }) => [names.key, given]));
  return { [givenFileVariable]: JSON.stringify(given) };
}

/** The values that count as the command knows them; those of `Settings` only where it does not read them itself. */
function toOptions(values: readonly ConfigValue[]): OptionValues {
  return Object.fromEntries(
    values
      .filter(({ option, origin }) => !option.isSetting || origin === "option" || origin === "file")
      .map(({ names, value }) => [names.attribute, value]),
  );
}

function refusePublic(file: ConfigFile, read: readonly ReadWay[], faults: ConfigFault[]): void {
  const [secret] = read.flatMap(({ given }) =>
    given?.origin === "file" && holdsSecret(given) ? [given] : [],
  );
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

/** The option with the environment that its check may ask for. */
function withEnvironment(option: ConfigOption, env: CliContext["env"]): ConfigOption {
  const { parse } = option;
  return parse ? { ...option, parse: (text, name) => parse(text, name, env) } : option;
}

/** What became otherwise, a sentence each; secrets are masked (OP-317). */
export function toChanges(before: readonly ConfigValue[], now: readonly ConfigValue[]): string[] {
  return now.flatMap((value) => {
    const old = before.find(({ names }) => names.key === value.names.key);
    if (!old) return [];
    const [was, is] = [toShownText(old), toShownText(value)];
    if (was !== is) return [`${value.names.key} is ${is}, was ${was} (${value.source}).`];
    if (JSON.stringify(old.given) !== JSON.stringify(value.given))
      return [`${value.names.key} has another secret (${value.source}).`];
    return old.digest === value.digest ? [] : [`What ${value.names.key} names has changed: ${is}.`];
  });
}

/** Says that a value stays until the server is started anew. */
export function toRefusal(old: ConfigValue, now: ConfigValue | null): string {
  const wanted = now === null ? "not set any more" : `${toShownText(now)} (${now.source})`;
  return `${old.names.key} stays ${toShownText(old)}: that it is ${wanted} counts from a restart on.`;
}
