import { Option } from "commander";
import { failure } from "../../errors/errors.ts";
import type { CliContext, OptionValues } from "../context.ts";

/** A value as the environment or a file gives it, before it is parsed. */
export type ConfigScalar = string | number | boolean;

/** Which values a configuration file may hold for an option. */
export type ConfigKind = "flag" | "number" | "text" | "number or text" | "list";

/** An option of what runs for long: it can be said on the command line, by its variable, and in a configuration file. */
export interface ConfigOption {
  /** As the command line takes it: `--port <n>`, `--no-deliver`. */
  flags: string;
  about: string;
  kind: ConfigKind;
  /**
   * Checks a text, of a list each of its entries, and gives what the program works with. Throws a usage error that begins
   * with `name`: the option, its variable, or its place in a file. `env` has what else counts. Without it the text itself is
   * the value.
   */
  parse?(text: string, name: string, env?: CliContext["env"]): unknown;
  /** What counts where nothing says; without it nothing does. */
  fallback?: ConfigScalar;
  /** The same where it depends on the others. */
  toFallback?(options: OptionValues, context: CliContext): ConfigScalar;
  choices?: readonly string[];
  /** The value as it may be shown. A value that is shown otherwise than it is holds a secret. */
  toShown?(text: string): string;
  /**
   * It names a file, whose contents count like the value: one that can be read, or whose check this is, which throws a usage
   * error.
   */
  file?: "readable" | ((path: string) => void);
  /** `Settings` reads it itself from the environment, the profile and the store that was made last. */
  isSetting?: true;
  /** A running server cannot change it. */
  needsRestart?: true;
}

/** What an option is called, wherever it can be given. */
export interface ConfigNames {
  /** `--rate-limit`, `--no-deliver` */
  option: string;
  /** `DISPATCH_RATE_LIMIT`, `DISPATCH_DELIVER` */
  variable: string;
  /** `rate_limit`, `deliver` */
  key: string;
  /** `rateLimit`, `deliver`: as the parser of the command line calls it. */
  attribute: string;
}

/** The names of an option: all follow from that on the command line, the last two without `no`. */
export function toNames({ flags }: Pick<ConfigOption, "flags">): ConfigNames {
  const [option = "", name = ""] = /--(?:no-)?([a-z-]+)/.exec(flags) ?? [];
  const key = name.replaceAll("-", "_");
  const attribute = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { option, variable: `DISPATCH_${key.toUpperCase()}`, key, attribute };
}

/** Whether the option turns off what is on. */
export const isNegated = (flags: string): boolean => flags.startsWith("--no-");

/** A value, as a file would hold it, of an option. */
interface GivenValue {
  given: ConfigScalar | readonly string[] | null;
  option: ConfigOption;
}

/** The value as it may be shown: secrets are masked. */
export function toShownValue({ given, option }: GivenValue): GivenValue["given"] {
  return typeof given === "string" && option.toShown ? option.toShown(given) : given;
}

/** Whether a value may not be shown as it is. */
export const holdsSecret = (value: GivenValue): boolean => toShownValue(value) !== value.given;

/** The option for the parser of the command line, which leaves the check of its value to `readConfiguration`. */
export function toOption({ about, choices, fallback, flags, kind }: ConfigOption): Option {
  const option = new Option(flags, about);
  if (choices) option.choices([...choices]);
  if (kind === "list") return option.default([]).argParser((text, others: string[]) => [...others, text]);
  return fallback === undefined || kind === "flag" ? option : option.default(fallback);
}

/** --config, which names the file that holds what the command line and the environment do not say. */
export const configOption = (): Option =>
  new Option(
    "--config <file>",
    "YAML file with options of serve, as `rate_limit: 100/200` (DISPATCH_CONFIG)",
  );

/** A whole number within bounds, for `parse`. */
export const wholeNumber = (min: number, max: number) => (text: string, name: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw failure("usage", `${name} must be a number from ${min} to ${max}, not "${text}".`);
};

/** One of the words, for `parse`. */
export const oneOf = (words: readonly string[]) => (text: string, name: string) => {
  if (words.includes(text)) return text;
  throw failure("usage", `${name} must be one of ${words.join(", ")}, not "${text}".`);
};

/** A value in words, secrets masked. */
export function toShownText(value: GivenValue): string {
  const shown = toShownValue(value);
  if (shown === null || (Array.isArray(shown) && shown.length === 0)) return "–";
  return Array.isArray(shown) ? shown.join(", ") : String(shown);
}

/** The ways in which a value can be given, the strongest first (OP-314). */
export type ConfigOrigin = "option" | "environment" | "file" | "default";

/** Something that is wrong, in a sentence that says where. */
export interface ConfigFault {
  detail: string;
  origin: ConfigOrigin;
}
