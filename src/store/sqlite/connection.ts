export interface Connection {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Parameters, Row>;
  exec(sql: string): unknown;
  /** Returns the rows of a pragma, or with `simple` the first value. */
  pragma(source: string, options?: { simple?: boolean }): unknown;
  /** A function that runs `work` in a transaction; `immediate` takes the lock of writers at once. */
  transaction<T>(work: () => T): { immediate(): T };
  /** Copies the database into a file, as many pages in a step as `progress` returns; it may throw to end the copy. */
  backup(file: string, options: { progress(pages: Pages): number }): Promise<unknown>;
  serialize(): Uint8Array;
  close(): unknown;
}

/** A prepared statement. Several values may be bound as one list. */
export interface Statement<Parameters extends unknown[] = unknown[], Row = unknown> {
  readonly reader: boolean;
  readonly readonly: boolean;
  all(...parameters: Parameters): Row[];
  get(...parameters: Parameters): Row | undefined;
  run(...parameters: Parameters): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: Parameters): IterableIterator<Row>;
  pluck(): Statement<Parameters, Row>;
}

interface Pages {
  totalPages: number;
  remainingPages: number;
}

export interface ConnectionOptions {
  fileMustExist?: boolean;
  /** How long SQLite waits for locks, in milliseconds; 5 s by default. */
  timeout?: number;
}
