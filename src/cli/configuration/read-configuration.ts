import type { Command } from "commander";
import { throwIfAny } from "../../errors/errors.ts";
import { nearestWord } from "../../errors/nearest.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { type ConfigEntry, type ConfigFile, givenFileVariable, readEntries } from "./config-file.ts";
import { type ConfigFault, type ConfigOption, holdsSecret, toShownText } from "./config-option.ts";
import { type ConfigValue, OptionWays } from "./option-ways.ts";

export interface Configuration {
  options: OptionValues;
  values: readonly ConfigValue[];
  file: ConfigFile | null;
  notes: readonly string[];
  /** Changed values in words. Masks secrets. */
  changes: readonly string[];
  refusals: readonly string[];
  /** Reads the file and the files that options name again. If it throws, the old configuration stays in force. */
  reread(): Promise<Configuration>;
}

export interface ConfigForm {
  table: readonly ConfigOption[];
  fallbacks?: OptionValues;
  /** Checks combinations of values and returns the faults. */
  check?(configuration: Configuration): readonly string[];
}

/** Precedence: command line, environment, file. `before` has the running server's values that need a restart. */
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

interface ReadWay {
  way: OptionWays;
  given: ConfigValue | null;
}

/** Checks every given value, even an overridden one. */
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

/** A value that needs a restart stays. */
function keepValue({ given, way }: ReadWay, before?: Configuration): Partial<ReadWay> & { refusal?: string } {
  const old = before?.values.find(({ names }) => names.key === way.names.key);
  if (!old?.option.needsRestart) return {};
  if (given === null) return old.origin === "default" ? {} : { given: old, refusal: toRefusal(old, null) };
  // If only the secret differs, the target is the same.
  if (toShownText(given) === toShownText(old)) return {};
  return { given: old.origin === "default" ? null : old, refusal: toRefusal(old, given) };
}

/** A child process gets the file as this process read it: the file may be half-edited. */
export function toGivenFile({ file, values }: Configuration): Record<string, string> {
  if (file === null) return {};
  const read = values.filter(({ origin }) => origin === "file");
  const given = Object.fromEntries(read.map(({ given, names }) => [names.key, given]));
  return { [givenFileVariable]: JSON.stringify(given) };
}

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
  const detail = `${file.name} is not used: it holds a secret (${secret.names.key}), and every user can read it. Run \`${cure}\`, then change the secret.`;
  faults.push({ detail, origin: "file" });
}

/** Unknown variables with names close to a known one. */
function toMisspelled(env: CliContext["env"], variables: readonly string[]): string[] {
  const withoutPrefix = (name: string) => name.replace(/^DISPATCH_/, "");
  const known = variables.map(withoutPrefix);
  return Object.keys(env)
    .filter((name) => name.startsWith("DISPATCH_") && !variables.includes(name))
    .flatMap((name) => {
      const nearest = nearestWord(withoutPrefix(name), known);
      return nearest === null ? [] : [`Unknown variable ${name}. Did you mean DISPATCH_${nearest}?`];
    });
}

/** A fault of the command line only is a usage error. */
function throwFaults(faults: readonly ConfigFault[]): void {
  const isTyped = faults.every(({ origin }) => origin === "option");
  const inOrder = faults.toSorted((one, other) => toLine(one) - toLine(other));
  const code = isTyped ? "usage" : "configuration_faulty";
  throwIfAny(inOrder.map(({ detail }) => ({ code, detail, field: null })));
}

/** By line and column; faults outside of the file come first. */
function toLine({ detail, origin }: ConfigFault): number {
  const [, line = 0, column = 0] = (origin === "file" && /:(\d+):(\d+): /.exec(detail)) || [];
  return Number(line) * 100_000 + Number(column);
}

/** The check of an option may read the environment. */
function withEnvironment(option: ConfigOption, env: CliContext["env"]): ConfigOption {
  const { parse } = option;
  return parse ? { ...option, parse: (text, name) => parse(text, name, env) } : option;
}

export function toChanges(before: readonly ConfigValue[], now: readonly ConfigValue[]): string[] {
  return now.flatMap((value) => {
    const old = before.find(({ names }) => names.key === value.names.key);
    if (!old) return [];
    const [was, is] = [toShownText(old), toShownText(value)];
    if (was !== is) return [`${value.names.key} is ${is}, was ${was} (${value.source}).`];
    if (JSON.stringify(old.given) !== JSON.stringify(value.given))
      return [`${value.names.key} has a new secret (${value.source}).`];
    return old.digest === value.digest ? [] : [`The file of ${value.names.key} has changed: ${is}.`];
  });
}

export function toRefusal(old: ConfigValue, now: ConfigValue | null): string {
  const wanted = now === null ? "no value" : `${toShownText(now)} (${now.source})`;
  return `${old.names.key} stays ${toShownText(old)}; ${wanted} takes effect after a restart.`;
}
