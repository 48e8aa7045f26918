import { failure } from "../errors.ts";
import { type ApiVersion, apiVersions, isApiVersion } from "../versions/api-versions.ts";
import { type OutputForm, outputForms } from "./output/format.ts";
import type { World } from "./world.ts";

/** A value and where it came from, for `whoami`. */
export interface Sourced<T> {
  value: T;
  source: string;
}

/** What every command may be told about its target and its output; option before environment before default. */
export interface Settings {
  data: Sourced<string | null>;
  url: Sourced<string | null>;
  /** A file that holds the token, `-` for standard input, or null for DISPATCH_TOKEN. */
  tokenFile: Sourced<string | null>;
  tenant: Sourced<number | null>;
  as: Sourced<string | null>;
  apiVersion: Sourced<ApiVersion | null>;
  form: OutputForm;
  fields: string | null;
  noColour: boolean;
}

/** The option values of a command as the parser gives them. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Reads the options that all commands share. Throws a usage error for values that cannot be. */
export function readSettings({ env }: World, options: OptionValues): Settings {
  const pick = (option: string, variable: string): Sourced<string | null> => {
    const given = options[option];
    if (given === "") throw failure("usage", `--${toKebab(option)} is empty.`);
    if (typeof given === "string") return { value: given, source: `--${toKebab(option)}` };
    const set = env[variable];
    return set === undefined || set === ""
      ? { value: null, source: "default" }
      : { value: set, source: variable };
  };
  const data = pick("data", "DISPATCH_DATA");
  const url = pick("url", "DISPATCH_URL");
  if (data.source === "--data" && url.source === "--url")
    throw failure("usage", "--data and --url exclude each other.");
  // An option beats the environment, also where they name different kinds of targets.
  const isStoreNamed = data.source === "--data";
  const isServerNamed = url.source === "--url";
  const none: Sourced<null> = { value: null, source: "default" };
  return {
    data: isServerNamed ? none : data,
    url: isStoreNamed ? none : url,
    tokenFile: pick("tokenFile", "DISPATCH_TOKEN_FILE"),
    tenant: mapSourced(pick("tenant", "DISPATCH_TENANT"), parseTenant),
    as: pick("as", "DISPATCH_AS"),
    apiVersion: mapSourced(pick("apiVersion", "DISPATCH_API_VERSION"), parseVersion),
    form: parseForm(pick("output", "DISPATCH_OUTPUT")),
    fields: typeof options.fields === "string" ? options.fields : null,
    noColour: options.color === false,
  };
}

function mapSourced<T>(
  { value, source }: Sourced<string | null>,
  parse: (text: string, source: string) => T,
): Sourced<T | null> {
  return { value: value === null ? null : parse(value, source), source };
}

function parseTenant(text: string, source: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw failure("usage", `${source} must be a tenant's id, a whole number, not "${text}".`);
}

function parseVersion(text: string, source: string): ApiVersion {
  if (isApiVersion(text)) return text;
  throw failure("usage", `${source} must be one of ${apiVersions.join(", ")}, not "${text}".`);
}

function parseForm({ value, source }: Sourced<string | null>): OutputForm {
  if (value === null) return "table";
  const form = outputForms.find((known) => known === value);
  if (form) return form;
  throw failure("usage", `${source} must be one of ${outputForms.join(", ")}, not "${value}".`);
}

const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
