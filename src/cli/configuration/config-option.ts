import { Option } from "commander";
import { failure } from "../../errors/errors.ts";
import type { CliContext, OptionValues } from "../context.ts";

export type ConfigScalar = string | number | boolean;

export type ConfigKind = "flag" | "number" | "text" | "number or text" | "list";

/** For long-running commands. The command line, a variable, or a file can set it. */
export interface ConfigOption {
  flags: string;
  about: string;
  kind: ConfigKind;
  /** Throws a usage error that begins with `name`: the option, the variable, or the place in the file. */
  parse?(text: string, name: string, env?: CliContext["env"]): unknown;
  fallback?: ConfigScalar;
  /** A default that depends on other options. */
  toFallback?(options: OptionValues, context: CliContext): ConfigScalar;
  choices?: readonly string[];
  /** For display. A different text means that the value is secret. */
  toShown?(text: string): string;
  file?: "readable" | ((path: string) => void);
  /** `Settings` reads it from the environment, the profile, and the last store. */
  isSetting?: true;
  /** A running server cannot change it. */
  needsRestart?: true;
}

export interface ConfigNames {
  option: string;
  variable: string;
  key: string;
  /** The parser's name: `rateLimit`, `deliver`. */
  attribute: string;
}

/** `--no-deliver` gives DISPATCH_DELIVER and the key `deliver`. */
export function toNames({ flags }: Pick<ConfigOption, "flags">): ConfigNames {
  const [option = "", name = ""] = /--(?:no-)?([a-z-]+)/.exec(flags) ?? [];
  const key = name.replaceAll("-", "_");
  const attribute = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { option, variable: `DISPATCH_${key.toUpperCase()}`, key, attribute };
}

export const isNegated = (flags: string): boolean => flags.startsWith("--no-");

interface GivenValue {
  given: ConfigScalar | readonly string[] | null;
  option: ConfigOption;
}

export function toShownValue({ given, option }: GivenValue): GivenValue["given"] {
  return typeof given === "string" && option.toShown ? option.toShown(given) : given;
}

export const holdsSecret = (value: GivenValue): boolean => toShownValue(value) !== value.given;

export function toOption({ about, choices, fallback, flags, kind }: ConfigOption): Option {
  const option = new Option(flags, about);
  if (choices) option.choices([...choices]);
  if (kind === "list") return option.default([]).argParser((text, others: string[]) => [...others, text]);
  return fallback === undefined || kind === "flag" ? option : option.default(fallback);
}

/** --config sets options that the command line and the environment omit. */
export const configOption = (): Option =>
  new Option(
    "--config <file>",
    "YAML file with options of serve, like `rate_limit: 100/200` (DISPATCH_CONFIG)",
  );

export const wholeNumber = (min: number, max: number) => (text: string, name: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw failure("usage", `${name} must be a number from ${min} to ${max}, not "${text}".`);
};

export const oneOf = (words: readonly string[]) => (text: string, name: string) => {
  if (words.includes(text)) return text;
  throw failure("usage", `${name} must be one of ${words.join(", ")}, not "${text}".`);
};

/** Masks secrets. */
export function toShownText(value: GivenValue): string {
  const shown = toShownValue(value);
  if (shown === null || (Array.isArray(shown) && shown.length === 0)) return "–";
  return Array.isArray(shown) ? shown.join(", ") : String(shown);
}

export type ConfigOrigin = "option" | "environment" | "file" | "default";

/** `detail` is a sentence that names the option, variable, or line. */
export interface ConfigFault {
  detail: string;
  origin: ConfigOrigin;
}
