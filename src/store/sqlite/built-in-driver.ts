import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Connection, ConnectionOptions, Statement } from "./connection.ts";

export type OpenBuiltIn = (place: string | Buffer, options: ConnectionOptions) => Connection;

/** undefined if Node's SQLite lacks needed features (Node 22.13 to 22.15). */
export function loadBuiltIn(): OpenBuiltIn | undefined {
  const sqlite = requireQuietly();
  if (!sqlite || !("columns" in sqlite.StatementSync.prototype)) return undefined;
  return (place, options) =>
    typeof place === "string" ? new BuiltIn(sqlite, place, options) : openBytes(sqlite, place);
}

export function builtInCodeOf(error: unknown): string {
  return isSqliteError(error) ? toName(error.errcode) : "";
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

function toName(errcode: number): string {
  const name = codeNames[errcode & 0xff] ?? "SQLITE_ERROR";
  return errcode > 0xff ? `${name}_${extendedNames[errcode] ?? errcode}` : name;
}

/** Gives errors the code and class that they have in better-sqlite3. */
function withErrorCode<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isSqliteError(error)) throw Object.assign(error, { code: toName(error.errcode) });
    const isClosed = error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE";
    throw isClosed ? new TypeError("The database connection is not open", { cause: error }) : error;
  }
}

const codeNames: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  19: "SQLITE_CONSTRAINT",
  26: "SQLITE_NOTADB",
};

const extendedNames: Readonly<Record<number, string>> = { 266: "READ", 522: "SHORT_READ", 787: "FOREIGNKEY" };

/** The types of the oldest supported Node lack `node:sqlite`. */
interface NodeSqlite {
  DatabaseSync: new (place: string) => NodeDatabase;
  StatementSync: { prototype: object };
  backup(
    from: NodeDatabase,
    to: string,
    options: { rate: number; progress(pages: { totalPages: number; remainingPages: number }): void },
  ): Promise<number>;
}

interface NodeDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeStatement {
  columns(): readonly unknown[];
  all(...values: unknown[]): unknown[];
  get(...values: unknown[]): unknown;
  run(...values: unknown[]): { changes: number; lastInsertRowid: number };
  iterate(...values: unknown[]): IterableIterator<unknown>;
}

class BuiltIn implements Connection {
  readonly #sqlite: NodeSqlite;
  readonly #database: NodeDatabase;
  #isOpen = true;

  constructor(sqlite: NodeSqlite, place: string, { fileMustExist, timeout = 5000 }: ConnectionOptions) {
    if (fileMustExist && !existsSync(place))
      throw Object.assign(new Error("unable to open database file"), { errcode: 14 });
    this.#sqlite = sqlite;
    this.#database = withErrorCode(() => new sqlite.DatabaseSync(place));
    try {
      // In KiB: the cache size of better-sqlite3.
      this.exec("pragma cache_size = -16000");
    } catch {
      // The first query reports a broken file.
    }
    this.exec(`pragma busy_timeout = ${timeout}`);
  }

  get open(): boolean {
    return this.#isOpen;
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Parameters, Row> {
    return withErrorCode(() => new BuiltInStatement<Parameters, Row>(this.#database.prepare(sql), sql));
  }

  exec(sql: string): this {
    withErrorCode(() => this.#database.exec(sql));
    return this;
  }

  pragma(source: string, { simple = false }: { simple?: boolean } = {}): unknown {
    const statement = this.prepare(`pragma ${source}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  transaction<T>(work: () => T): { immediate(): T } {
    return {
      immediate: () => {
        this.exec("begin immediate");
        try {
          const result = work();
          this.exec("commit");
          return result;
        } catch (error) {
          // SQLite may have rolled back already.
          if (this.inTransaction) this.exec("rollback");
          throw error;
        }
      },
    };
  }

  backup(file: string, { progress }: Parameters<Connection["backup"]>[1]): Promise<unknown> {
    const rate = progress({ totalPages: 0, remainingPages: 0 });
    return this.#sqlite.backup(this.#database, file, { rate, progress: (pages) => void progress(pages) });
  }

  serialize(): Uint8Array {
    return inFolder((file) => {
      // The scheme forces a file on disk, even for a database in memory.
      this.prepare("vacuum into ?").run(`${pathToFileURL(file).href}?vfs=${sep === "/" ? "unix" : "win32"}`);
      return readFileSync(file);
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#database.close();
  }
}

class BuiltInStatement<Parameters extends unknown[], Row> implements Statement<Parameters, Row> {
  readonly #statement: NodeStatement;
  readonly reader: boolean;
  readonly readonly: boolean;
  #toRow: (row: object) => unknown = withBuffers;

  constructor(statement: NodeStatement, sql: string) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
    this.readonly = /^\s*(?:select|values|explain)\b/i.test(sql);
  }

  all(...parameters: Parameters): Row[] {
    return withErrorCode(() => this.#statement.all(...parameters.flat())).map((row) => this.#take(row));
  }

  get(...parameters: Parameters): Row | undefined {
    const row = withErrorCode(() => this.#statement.get(...parameters.flat()));
    return row === undefined ? undefined : this.#take(row);
  }

  run(...parameters: Parameters): { changes: number; lastInsertRowid: number } {
    return withErrorCode(() => this.#statement.run(...parameters.flat()));
  }

  *iterate(...parameters: Parameters): IterableIterator<Row> {
    for (const row of this.#statement.iterate(...parameters.flat())) yield this.#take(row);
  }

  pluck(): this {
    this.#toRow = (row) => Object.values(row)[0];
    return this;
  }

  /** The preparing caller knows the type of the rows; no driver does. */
  #take(row: unknown): Row {
    return this.#toRow(row as object) as Row;
  }
}

/** As in better-sqlite3: bytes are buffers, and rows have the usual prototype. */
function withBuffers(row: object): object {
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row))
    made[name] = value instanceof Uint8Array ? Buffer.from(value) : value;
  return made;
}

/** SQLite copies the bytes from a temporary file into memory. */
function openBytes(sqlite: NodeSqlite, bytes: Buffer): Connection {
  const place = `file:/${randomUUID()}?vfs=memdb`;
  const memory = new BuiltIn(sqlite, place, {});
  inFolder((file) => {
    writeFileSync(file, bytes, { mode: 0o600 });
    const from = new BuiltIn(sqlite, file, {});
    from.prepare("vacuum into ?").run(place);
    from.close();
  });
  return memory;
}

function inFolder<T>(work: (file: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-image-"));
  try {
    return work(join(folder, "image.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Node warns that its SQLite is experimental, which users of a command cannot change. */
function requireQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return createRequire(import.meta.url)("node:sqlite");
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
