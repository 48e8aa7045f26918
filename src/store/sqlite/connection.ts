/** A connection to a SQLite database, as far as this program uses one; whichever driver made it. */
export interface Connection {
  /** False once it is closed. */
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Parameters, Row>;
  /** Runs any number of statements. */
  exec(sql: string): unknown;
  /** Gives the rows of a pragma, or with `simple` the first value. */
  pragma(source: string, options?: { simple?: boolean }): unknown;
  /** A function that runs `work` in a transaction; `immediate` takes the lock of writers at once. */
  transaction<T>(work: () => T): { immediate(): T };
  /** Copies the database into a file in steps of as many pages as `progress` says; it may throw to end that. */
  backup(file: string, options: { progress(pages: Pages): number }): Promise<unknown>;
  /** The database as the bytes of a file. */
  serialize(): Uint8Array;
  close(): unknown;
}

/** A prepared statement. Several values may be bound as one list. */
export interface Statement<Parameters extends unknown[] = unknown[], Row = unknown> {
  /** Whether it gives rows. */
  readonly reader: boolean;
  /** Whether it changes nothing. */
  readonly readonly: boolean;
  all(...parameters: Parameters): Row[];
  get(...parameters: Parameters): Row | undefined;
  run(...parameters: Parameters): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: Parameters): IterableIterator<Row>;
  /** From now on rows are their first value. */
  pluck(): Statement<Parameters, Row>;
}

interface Pages {
  totalPages: number;
  remainingPages: number;
}

export interface ConnectionOptions {
  fileMustExist?: boolean;
  /** How long SQLite waits for locks, in milliseconds; 5 s unless said. */
  timeout?: number;
}
