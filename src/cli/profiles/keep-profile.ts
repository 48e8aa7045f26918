import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { writePrivately } from "../../runtime/private-file.ts";
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

/** Throws duplicate_record if the name exists and `replaces` is false. */
export function keepProfile(
  context: CliContext,
  name: string,
  values: ProfileValues,
  replaces: boolean,
): void {
  if (!replaces && existsSync(profileFile(context, name))) {
    const detail = `Profile ${name} already exists. Show it with \`profiles show ${name}\`, or replace it with --replace.`;
    throw failure("duplicate_record", detail);
  }
  writeValues(context, profileFolder(context), name, values);
}

export function keepDefaultProfile(context: CliContext, name: string | null): void {
  if (name === null) {
    removeFile(defaultFile(context));
    return;
  }
  findProfile(context, name);
  writeValues(context, configFolder(context), defaultFileName, { name });
}

/** Also removes the default if it names this profile. */
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

/** Ignores a failed write: the store itself exists. */
export function keepLastStore(context: CliContext, store: LastStore): void {
  const { data, isTold, madeBy, tenant } = store;
  const values = {
    data,
    made_by: madeBy,
    ...(tenant !== null && { tenant }),
    ...(isTold && { told: "yes" }),
  };
  try {
    writeValues(context, configFolder(context), lastStoreName, values);
  } catch {}
}

/** Atomically, and unreadable for other users. */
function writeValues(
  context: CliContext,
  folder: string,
  name: string,
  values: Readonly<Record<string, string>>,
): void {
  try {
    for (const path of [configFolder(context), folder]) mkdirSync(path, { recursive: true, mode: 0o700 });
    writePrivately(join(folder, `${name}.json`), `${JSON.stringify(values, null, 2)}\n`);
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
