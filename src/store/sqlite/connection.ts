export interface Connection {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Parameters, Row>;
  exec(sql: string): unknown;
  /** With `simple`, returns the first value instead of rows. */
  pragma(source: string, options?: { simple?: boolean }): unknown;
  /** `immediate` takes the writers' lock at once. */
  transaction<T>(work: () => T): { immediate(): T };
  /** `progress` returns the number of pages in the next step, and may throw to stop. */
  backup(file: string, options: { progress(pages: Pages): number }): Promise<unknown>;
  serialize(): Uint8Array;
  close(): unknown;
}

/** A list binds several values. */
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
  /** How long SQLite waits for locks, in milliseconds. Default: 5 s. */
  timeout?: number;
}
