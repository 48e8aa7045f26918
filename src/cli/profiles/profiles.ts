import { readdirSync, readFileSync, statSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { didYouMean } from "../../errors/nearest.ts";
import { parseObject } from "../../models/json.ts";
import type { CliContext } from "../context.ts";
import { configFolder } from "./config-folder.ts";

export const profileKeys = [
  "data",
  "insecure",
  "url",
  "token",
  "token_expires_on",
  "tenant",
  "as",
  "location",
  "api_version",
  "output",
] as const;

export type ProfileValues = Partial<Record<(typeof profileKeys)[number], string>>;

export interface Profile {
  name: string;
  file: string;
  /** No other user of the machine can read the file. */
  isPrivate: boolean;
  values: ProfileValues;
}

/** Throws a usage error for a missing profile or damaged file. */
export function findProfile(context: CliContext, name: string): Profile {
  const file = profileFile(context, name);
  const text = readIfThere(file);
  if (text === null) throw unknownProfile(context, name);
  return { name, file, isPrivate: isPrivateFile(file), values: parseValues(file, text) };
}

export function profileNames(context: CliContext): string[] {
  const folder = profileFolder(context);
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
    return files.map((file) => file.slice(0, -".json".length)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw failure("usage", `${folder} cannot be read: ${describeFileError(error, "")}.`, null, error);
  }
}

export function defaultProfileName(context: CliContext): string | null {
  const file = defaultFile(context);
  const text = readIfThere(file);
  return text === null ? null : (parseValues(file, text).name ?? null);
}

/** Throws a usage error for an invalid name. */
export function profileFile(context: CliContext, name: string): string {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
    const rule = "1 to 64 letters, digits, _ . and -, starting with a letter or digit";
    throw failure("usage", `Invalid profile name ${JSON.stringify(name)}: use ${rule}.`);
  }
  return join(profileFolder(context), `${name}.json`);
}

/** Each profile has its own file, so that two writers never change the same file. */
export function profileFolder(context: CliContext): string {
  return join(configFolder(context), "profiles");
}

export const defaultFileName = "default-profile";

export function defaultFile(context: CliContext): string {
  return join(configFolder(context), `${defaultFileName}.json`);
}

function unknownProfile(context: CliContext, name: string) {
  const known = profileNames(context);
  const others =
    known.length === 0 ? " Create one with `dispatch-cli profiles add`." : ` You have: ${known.join(", ")}.`;
  return failure("usage", `No profile "${name}".${others}${didYouMean(name, known)}`);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw failure("usage", `${file} cannot be read: ${describeFileError(error, "")}.`, null, error);
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** On Windows, the folder's permissions protect the file. */
function isPrivateFile(file: string): boolean {
  return platform() === "win32" || (statSync(file).mode & 0o077) === 0;
}

function parseValues(file: string, text: string): Readonly<Record<string, string>> {
  const value = parseObject(text);
  if (value && Object.values(value).every((entry) => typeof entry === "string"))
    return value as Record<string, string>;
  throw failure("usage", `${file} is damaged: it does not hold a profile. Remove the file.`);
}
