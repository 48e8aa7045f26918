import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DispatchError, failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { readPrivateText } from "../target/read-secret-keys.ts";
import type { ConfigKind, ConfigOption, ConfigScalar } from "./config-option.ts";
import type { ConfigEntry } from "./parse-config-file.ts";
import { oneOf } from "./parsers.ts";

/** A value that was checked. */
export interface ReadValue {
  /** As a configuration file would hold it. */
  given: ConfigScalar | readonly string[];
  /** As the program works with it. */
  value: unknown;
  /** Tells whether the file that it names is still the same; null where it names none. */
  digest: string | null;
}

/** Checks what the command line or a variable says; of a list, a variable has commas between its entries. Throws a usage error. */
export function readWord(
  option: ConfigOption,
  word: string | boolean | readonly string[],
  name: string,
): ReadValue {
  if (option.kind === "flag") return readFlag(word, name);
  if (option.kind === "list")
    return readList(option, Array.isArray(word) ? word : String(word).split(","), name);
  return readText(option, String(word), name);
}

/** Checks what a configuration file says. Throws a usage error. */
export function readEntry(
  option: ConfigOption,
  { value }: Pick<ConfigEntry, "value">,
  name: string,
): ReadValue {
  if (value === null) throw failure("usage", `${name} has no value: write one, or leave the line out.`);
  if (!isOfKind(option.kind, value)) throw failure("usage", `${name} must be ${inWords[option.kind]}.`);
  if (option.kind === "flag") return readFlag(value, name);
  if (option.kind === "list") return readList(option, [value].flat(), name);
  return readText(option, String(value), name);
}

const inWords: Record<ConfigKind, string> = {
  flag: "true or false",
  list: "a text or a list of texts",
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

function readList({ parse }: ConfigOption, given: readonly unknown[], name: string): ReadValue {
  const texts = given.map((text) => String(text).trim()).filter((text) => text !== "");
  return { given: texts, value: parse ? texts.flatMap((text) => parse(text, name)) : texts, digest: null };
}

function readText(option: ConfigOption, text: string, name: string): ReadValue {
  const { choices, file, isSetting, kind, parse } = option;
  if (text === "" && (isSetting || !parse)) throw failure("usage", `${name} is empty.`);
  if (choices) oneOf(choices)(text, name);
  const value = parse ? parse(text, name) : text;
  return {
    given: kind === "number" ? Number(text) : text,
    value,
    digest: file ? toDigest(text, file, name) : null,
  };
}

function toDigest(path: string, access: "private" | "readable", name: string): string {
  try {
    const bytes = access === "private" ? readPrivateText(path, "secret") : readFileSync(path);
    return createHash("sha256").update(bytes).digest("hex");
  } catch (error) {
    const missing = "there is no such file";
    const detail =
      error instanceof DispatchError
        ? error.violations[0].detail
        : `${path} cannot be read: ${describeFileError(error, missing)}.`;
    throw failure("usage", `${name}: ${detail}`, null, error);
  }
}
