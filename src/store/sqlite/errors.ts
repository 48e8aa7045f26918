import { DispatchError, failure } from "../../errors/errors.ts";
import { sqliteCodeOf } from "./driver.ts";

/** Faults of the file and the disk become errors of the table; faults of our own SQL pass unchanged. */
export function toStoreError(error: unknown, file: string): unknown {
  const code = sqliteCodeOf(error);
  if (code === "") {
    return error instanceof TypeError
      ? failure("store_unreadable", `${file} cannot be opened: ${error.message}.`)
      : error;
  }
  if (code === "SQLITE_NOTADB")
    return failure("store_unreadable", `${file} is not a SQLite file.`, null, error);
  if (code.startsWith("SQLITE_CORRUPT")) return toDamaged(file, error);
  if (code.startsWith("SQLITE_CANTOPEN"))
    return failure("store_unreadable", `${file} cannot be opened.`, null, error);
  if (code.startsWith("SQLITE_READONLY")) return toReadOnly(file, error);
  if (code.startsWith("SQLITE_BUSY"))
    return failure("store_unavailable", `${file} is locked by another process.`, null, error);
  if (code === "SQLITE_FULL") return failure("store_unavailable", "The disk is full.", null, error);
  if (code.startsWith("SQLITE_IOERR"))
    return failure(
      "store_unavailable",
      `${file} cannot be read or written; the disk may be full.`,
      null,
      error,
    );
  return error;
}

export function toReadOnly(file: string, cause?: unknown): DispatchError {
  const detail = `${file} is read-only: the file, its folder or its disk cannot be written.`;
  return failure("store_unavailable", detail, null, cause);
}

/** Whether an error means another process's lock, which is temporary. */
export function isLocked(error: unknown): boolean {
  return causingCodeOf(error).startsWith("SQLITE_BUSY");
}

export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(causingCodeOf(error));
}

function causingCodeOf(error: unknown): string {
  return sqliteCodeOf(error instanceof DispatchError ? error.cause : error);
}

function toDamaged(file: string, cause: unknown): DispatchError {
  const detail = `${file} is damaged.`;
  const see = { command: "doctor" } as const;
  return new DispatchError([{ code: "store_unreadable", detail, field: null, see }], { cause });
}
