import { createRequire } from "node:module";
import SqliteDatabase from "better-sqlite3";
import { DispatchError } from "../../errors/errors.ts";
import { toInstallCommand } from "../../runtime/install-command.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { builtInCodeOf, loadBuiltIn, type OpenBuiltIn } from "./built-in-driver.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";

/** Falls back from better-sqlite3 to the SQLite of Node 22.16 and later. Throws sqlite_driver_missing. */
export function openConnection(place: string | Buffer, options: ConnectionOptions = {}): Connection {
  if (openBuiltIn) return openBuiltIn(place, options);
  try {
    return new SqliteDatabase(place, options);
  } catch (error) {
    if (!isLoadError(error)) throw error;
    openBuiltIn = loadBuiltIn();
    if (!openBuiltIn) throw toMissingDriver(error);
    return openBuiltIn(place, options);
  }
}

export function describeDriver(): string {
  const connection = openConnection(":memory:");
  const version = connection.prepare<[], string>("select sqlite_version()").pluck().get();
  connection.close();
  return `${openBuiltIn ? "node:sqlite" : "better-sqlite3"}, SQLite ${version}`;
}

export function sqliteCodeOf(error: unknown): string {
  if (error instanceof SqliteDatabase.SqliteError) return error.code;
  return builtInCodeOf(error);
}

let openBuiltIn: OpenBuiltIn | undefined;

function isLoadError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : "";
  return (
    code === "MODULE_NOT_FOUND" ||
    code === "ERR_DLOPEN_FAILED" ||
    // Deno's message is the second.
    /^(?:Could not locate the bindings file|Cannot load native addon)/.test(error.message)
  );
}

/** Says why better-sqlite3 cannot be loaded, and which command fixes that. */
export function toMissingDriver(cause: Error): DispatchError {
  const { place, manager } = findInstalled();
  const reason = toReason(cause, place !== null);
  const command =
    place === null ? toInstallCommand(wanted) : `cd ${toShellWord(place)} && ${rebuilding[manager]}`;
  const detail = `better-sqlite3, which opens files and every backup, ${reason}, and this Node has no SQLite of its own.`;
  const fix = `Run \`${command}\`, or use Node 22.16 or later. Compiling needs Python 3, make, and a C++ compiler. With PostgreSQL, only backups and \`restore\` need it; with --url, nothing does.`;
  return new DispatchError([{ code: "sqlite_driver_missing", detail, field: null, fix }], { cause });
}

const wanted = "better-sqlite3@12.11.1";

/** Usually, disabled install scripts are the cause. */
const rebuilding = {
  npm: "npm rebuild better-sqlite3 --ignore-scripts=false",
  pnpm: "pnpm approve-builds better-sqlite3 && pnpm rebuild better-sqlite3",
};

function toReason({ message }: Error, isInstalled: boolean): string {
  if (!isInstalled) return "is not installed";
  if (message.includes("NODE_MODULE_VERSION")) return "was compiled for another version of Node";
  if (/better_sqlite3\.node:|invalid ELF|wrong architecture|not a valid Win32/.test(message))
    return `does not fit this machine (${message.split("\n", 1)[0]})`;
  return "has no compiled part (its install script was not run, or failed)";
}

function findInstalled(): { place: string | null; manager: keyof typeof rebuilding } {
  try {
    const found = require.resolve("better-sqlite3/package.json");
    const isPnpm = /[\\/]\.pnpm[\\/]/.test(found);
    const [place = ""] = found.split(/[\\/]node_modules[\\/](?:\.pnpm|better-sqlite3)[\\/]/, 1);
    return { place, manager: isPnpm ? "pnpm" : "npm" };
  } catch {
    return { place: null, manager: "npm" };
  }
}

const require = createRequire(import.meta.url);
