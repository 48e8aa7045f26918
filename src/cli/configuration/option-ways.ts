import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { DispatchError, failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { CliContext, OptionValues } from "../context.ts";
import type { ConfigEntry } from "./config-file.ts";
import {
  type ConfigFault,
  type ConfigKind,
  type ConfigNames,
  type ConfigOption,
  type ConfigOrigin,
  type ConfigScalar,
  isNegated,
  oneOf,
  toNames,
} from "./config-option.ts";

export interface ConfigValue extends Omit<ReadValue, "given"> {
  option: ConfigOption;
  names: ConfigNames;
  /** null if nothing sets it. */
  given: ReadValue["given"] | null;
  origin: ConfigOrigin;
  /** `--port`, `DISPATCH_PORT`, `serve.yaml:3`, `default` */
  source: string;
}

export class OptionWays {
  readonly names: ConfigNames;
  readonly #option: ConfigOption;
  readonly #faults: ConfigFault[];

  constructor(option: ConfigOption, faults: ConfigFault[]) {
    this.#option = option;
    this.#faults = faults;
    this.names = toNames(option);
  }

  isTakenBy(command: Command): boolean {
    return command.options.some(({ long }) => long === this.names.option);
  }

  fromCommandLine(command: Command): ConfigValue | null {
    const { attribute, option } = this.names;
    if (command.getOptionValueSource(attribute) !== "cli") return null;
    const word = command.getOptionValue(attribute) as string | boolean | string[];
    return this.#collect("option", option, () => readWord(this.#option, word, option));
  }

  /** An empty variable counts as unset. */
  fromEnvironment(env: CliContext["env"]): ConfigValue | null {
    const { variable } = this.names;
    const word = env[variable] ?? "";
    if (word === "") return null;
    return this.#collect("environment", variable, () => {
      if (/^(?:tcp|udp):\/\//.test(word)) throw kubernetesVariable(variable);
      return readWord(this.#option, word, variable);
    });
  }

  fromFile(entry: ConfigEntry | undefined): ConfigValue | null {
    if (!entry) return null;
    return this.#collect("file", entry.place, () =>
      readEntry(this.#option, entry, `${entry.valuePlace}: ${this.names.key}`),
    );
  }

  /** `fallback` is the default of this command. */
  fromNothing(context: CliContext, options: OptionValues, fallback: unknown): ConfigValue {
    const { fallback: usual, flags, kind, toFallback } = this.#option;
    const word = fallback ?? toFallback?.(options, context) ?? usual;
    if (kind === "flag") return this.#toDefault(isNegated(flags), isNegated(flags));
    if (kind === "list") return this.#toDefault([], []);
    if (word === undefined) return this.#toDefault(null, undefined);
    const { given, value } = readWord(this.#option, String(word), this.names.option);
    return this.#toDefault(given, value);
  }

  #toDefault(given: ConfigValue["given"], value: unknown): ConfigValue {
    return { ...this.#own(), given, value, digest: null, origin: "default", source: "default" };
  }

  #own() {
    return { option: this.#option, names: this.names };
  }

  #collect(origin: ConfigOrigin, source: string, read: () => ReadValue): ConfigValue | null {
    try {
      return { ...this.#own(), ...read(), origin, source };
    } catch (error) {
      if (!(error instanceof DispatchError)) throw error;
      this.#faults.push({ detail: error.violations[0].detail, origin });
      return null;
    }
  }
}

/** Kubernetes sets variables for each service. For a service named `dispatch` they look like ours. */
const kubernetesVariable = (variable: string) =>
  failure(
    "usage",
    `${variable} comes from Kubernetes, for a service named dispatch. Set \`enableServiceLinks: false\` in the pod's spec.`,
  );

interface ReadValue {
  /** As in a configuration file. */
  given: ConfigScalar | readonly string[];
  /** As the program uses it. */
  value: unknown;
  /** Changes with the file that the value names; null without a file. */
  digest: string | null;
}

/** A list in a variable has commas. Throws a usage error. */
function readWord(option: ConfigOption, word: string | boolean | readonly string[], name: string): ReadValue {
  if (option.kind === "flag") return readFlag(word, name);
  if (option.kind === "list")
    return readList(option, Array.isArray(word) ? word : String(word).split(","), name);
  return readText(option, String(word), name);
}

/** Throws a usage error. */
function readEntry(option: ConfigOption, { value }: Pick<ConfigEntry, "value">, name: string): ReadValue {
  if (value === null) throw failure("usage", `${name} has no value: write one, or leave the line out.`);
  if (!isOfKind(option.kind, value)) throw failure("usage", `${name} must be ${inWords[option.kind]}.`);
  if (option.kind === "flag") return readFlag(value, name);
  if (option.kind === "list") return readList(option, [value].flat(), name);
  return readText(option, String(value), name);
}

const inWords: Record<ConfigKind, string> = {
  flag: "true or false",
  list: "text or a list of texts",
  number: "a number",
  "number or text": "a number or a text",
  text: "a text",
};

function isOfKind(kind: ConfigKind, value: ConfigEntry["value"]): boolean {
  switch (kind) {
    case "flag":
      return typeof value === "boolean";
    case "list":
      return [value].flat().every((entry) => typeof entry === "string");
    case "number":
      return typeof value === "number";
    case "number or text":
      return typeof value === "number" || typeof value === "string";
    case "text":
      return typeof value === "string";
  }
}

function readFlag(given: unknown, name: string): ReadValue {
  const word = String(given).toLowerCase();
  const value = ["true", "1"].includes(word) ? true : ["false", "0"].includes(word) ? false : null;
  if (value === null) throw failure("usage", `${name} must be true or false, not "${given}".`);
  return { given: value, value, digest: null };
}

function readList(option: ConfigOption, given: readonly unknown[], name: string): ReadValue {
  const { parse } = option;
  const texts = given.map((text) => String(text).trim()).filter((text) => text !== "");
  const value = parse ? texts.flatMap((text) => parse(text, name)) : texts;
  return { given: texts, value, digest: toDigest(option, texts, name) };
}

function readText(option: ConfigOption, text: string, name: string): ReadValue {
  const { choices, isSetting, kind, parse } = option;
  if (text === "" && (isSetting || !parse)) throw failure("usage", `${name} is empty.`);
  if (choices) oneOf(choices)(text, name);
  const value = parse ? parse(text, name) : text;
  const given = kind === "number" ? Number(text) : text;
  return { given, value, digest: toDigest(option, [text], name) };
}

function toDigest({ file }: ConfigOption, paths: readonly string[], name: string): string | null {
  if (!file) return null;
  const hash = createHash("sha256");
  for (const path of paths)
    try {
      if (file !== "readable") file(path);
      hash.update(readFileSync(path));
    } catch (error) {
      throw failure("usage", `${name}: ${describe(path, error)}`, null, error);
    }
  return hash.digest("hex");
}

function describe(path: string, error: unknown): string {
  if (error instanceof DispatchError) return error.violations[0].detail;
  return `${path} cannot be read: ${describeFileError(error, "there is no such file")}.`;
}
