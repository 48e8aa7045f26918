import { mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { failure } from "../../../errors/errors.ts";
import { describeFileError } from "../../../errors/file-error.ts";
import { parseObject } from "../../../models/json.ts";
import { writePrivately } from "../../../runtime/private-file.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";
import type { CliContext } from "../../context.ts";
import { configFolder } from "../../profiles/config-folder.ts";

/** A listener's position, stored by name in the user's folder. */
export interface Cursor {
  after: string | null;
  /** The run that wrote it. */
  owner: string;
  /** The same in every run. */
  secret: string;
  target: string;
  tenant: number;
}

/** Throws a usage error for an invalid name. */
export function openCursorFile(context: CliContext, name: string) {
  if (!/^[\w-]{1,64}$/.test(name))
    throw failure("usage", `--name must be 1 to 64 letters, digits, _ and -, not "${name}".`);
  const file = resolve(configFolder(context), "listeners", `${name}.json`);
  return {
    file,
    /** null before the first write. Throws a usage error for an invalid file. */
    read(): Cursor | null {
      let text: string;
      try {
        text = readFileSync(file, "utf8");
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw failure("usage", `${file} cannot be read: ${describeFileError(error, "")}.`, null, error);
      }
      const cursor = parseCursor(text);
      if (cursor) return cursor;
      throw failure("usage", `${file} does not hold a cursor; remove it, or use another --name.`);
    },
    /** Throws if another listener has taken over the name. */
    requireOwn(owner: string): void {
      const found = this.read();
      if (found === null || found.owner === owner) return;
      throw failure("state_conflict", `Another listener has started with --name ${name}, so this one ends.`);
    },
    /** Replaces the file atomically. */
    write(cursor: Cursor): void {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writePrivately(file, JSON.stringify(cursor));
      } catch (error) {
        const reason = describeFileError(error, "there is no such folder");
        throw failure("usage", `${file} cannot be written: ${reason}.`, null, error);
      }
    },
  };
}

export type CursorFile = ReturnType<typeof openCursorFile>;

/** A file's absolute path is the same from every folder. */
export function toTargetKey(name: string, isStore: boolean): string {
  return isStore && !isPostgresAddress(name) ? resolve(name) : name.replace(/\/+$/, "");
}

function parseCursor(text: string): Cursor | null {
  const { after, owner = "", secret, target, tenant } = parseObject(text) ?? {};
  if (after !== null && typeof after !== "string") return null;
  if (typeof secret !== "string" || typeof target !== "string" || typeof tenant !== "number") return null;
  return { after, owner: String(owner), secret, target, tenant };
}
