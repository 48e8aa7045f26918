import { existsSync, mkdirSync, rmSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { CliContext } from "../context.ts";
import { configFolder } from "./config-folder.ts";
import { type LastStore, lastStoreName } from "./last-store.ts";
import {
  defaultFile,
  defaultFileName,
  defaultProfileName,
  findProfile,
  type ProfileValues,
  profileFile,
  profileFolder,
} from "./profiles.ts";

/** Writes a profile. Throws duplicate_record if the name exists and `replaces` is false. */
export async function keepProfile(
  context: CliContext,
  name: string,
  values: ProfileValues,
  replaces: boolean,
): Promise<void> {
  if (!replaces && existsSync(profileFile(context, name))) {
    const detail = `Profile ${name} already exists. Show it with \`profiles show ${name}\`, or replace it with --replace.`;
    throw failure("duplicate_record", detail);
  }
  await writeValues(context, profileFolder(context), name, values);
}

/** Sets the default profile; null removes it. */
export async function keepDefaultProfile(context: CliContext, name: string | null): Promise<void> {
  if (name === null) return removeFile(defaultFile(context));
  findProfile(context, name);
  await writeValues(context, configFolder(context), defaultFileName, { name });
}

/** Removes a profile, and the default if it names that profile. Returns whether it did. */
export function removeProfile(context: CliContext, name: string): boolean {
  const file = profileFile(context, name);
  // A damaged profile can be removed too.
  if (!existsSync(file)) findProfile(context, name);
  const wasDefault = defaultProfileName(context) === name;
  // In this order a default never names a missing profile.
  if (wasDefault) removeFile(defaultFile(context));
  removeFile(file);
  return wasDefault;
}

/** Remembers the last store. A failed write is ignored: the store itself exists. */
export async function keepLastStore(context: CliContext, store: LastStore): Promise<void> {
  const { data, isTold, madeBy, tenant } = store;
  const values = {
    data,
    made_by: madeBy,
    ...(tenant !== null && { tenant }),
    ...(isTold && { told: "yes" }),
  };
  await writeValues(context, configFolder(context), lastStoreName, values).catch(() => undefined);
}

/** Writes a file atomically. Other users cannot read it. */
async function writeValues(
  context: CliContext,
  folder: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const { default: Conf } = await import("conf");
  try {
    for (const path of [configFolder(context), folder]) mkdirSync(path, { recursive: true, mode: 0o700 });
    new Conf({
      cwd: folder,
      configName: name,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      // Conf replaces the whole file, so the old one may be damaged.
      clearInvalidConfig: true,
    }).store = values;
  } catch (error) {
    const reason = describeFileError(error, "there is no such folder");
    throw failure("usage", `${folder} cannot be written: ${reason}.`, null, error);
  }
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw failure("usage", `${file} cannot be removed: ${describeFileError(error, "")}.`, null, error);
  }
}
