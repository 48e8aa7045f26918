import type { Command } from "commander";
import { DispatchError, failure } from "../../errors/errors.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { type ConfigNames, type ConfigOption, isNegated, toNames } from "./config-option.ts";
import type { ConfigEntry } from "./parse-config-file.ts";
import { type ReadValue, readEntry, readWord } from "./read-value.ts";

/** The ways in which a value can be given, the strongest first (OP-314). */
export type ConfigOrigin = "option" | "environment" | "file" | "default";

/** The value of an option that counts, and where it came from. */
export interface ConfigValue extends Omit<ReadValue, "given"> {
  option: ConfigOption;
  names: ConfigNames;
  /** null: nothing gives it. */
  given: ReadValue["given"] | null;
  origin: ConfigOrigin;
  /** `--port`, `DISPATCH_PORT`, `serve.yaml:3`, `default` */
  source: string;
}

/** Something that is wrong, in a sentence that says where. */
export interface ConfigFault {
  detail: string;
  origin: ConfigOrigin;
}

/** Reads one option in each of the ways in which it can be given, and notes what is wrong. */
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

  /** An empty variable says nothing. */
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

  /** What counts where nothing gives a value; `fallback` is the command's own. */
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

/** Kubernetes gives every container variables of its services; those of one called `dispatch` look like ours. */
const kubernetesVariable = (variable: string) =>
  failure(
    "usage",
    `${variable} is what Kubernetes sets for a service called dispatch. \`enableServiceLinks: false\` in the pod's spec mends that.`,
  );
