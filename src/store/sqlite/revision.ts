import { nextTick } from "node:process";
import type { Connection, Statement } from "./connection.ts";
import { openConnection } from "./driver.ts";

export interface RevisionWatch {
  /** Changes after each commit to the tenant's or shared rows. Without `isFresh`, other processes' commits are late. */
  current(tenantId: number | null, isFresh?: boolean): number | null;
  forget(): void;
  close(): void;
}

/**
 * A second connection, which never commits, sees the commits of all others: SQLite counts those. It opens with the
 * first question. `requireSame` throws if the name leads to another file then. A question takes 3 µs.
 */
export function watchRevision(
  file: string,
  connection: Connection,
  requireSame: () => void = () => undefined,
): RevisionWatch {
  let watching: Watching | undefined;
  // A request that never waits asks nine times within one callback.
  let counted: number | null = null;
  const forget = () => {
    counted = null;
  };
  const countCommits = ({ readCommits }: Watching, isFresh: boolean): number => {
    if (counted !== null && !isFresh) return counted;
    if (counted === null) nextTick(forget);
    counted = readCommits.get() ?? 0;
    return counted;
  };
  const known = new Map<number, { commits: number; revision: number }>();
  const find = ({ readRevision }: Watching, commits: number, tenantId: number): number => {
    const found = known.get(tenantId);
    if (found?.commits === commits) return found.revision;
    // Read after the commit count, so the revision is at least as new. The next question notices a commit in between.
    const revision = readRevision(tenantId);
    known.set(tenantId, { commits, revision });
    return revision;
  };
  return {
    current(tenantId, isFresh = false) {
      try {
        watching ??= beginToWatch(file, connection, requireSame);
        const commits = countCommits(watching, isFresh);
        const shared = find(watching, commits, sharedTenantId);
        return tenantId === null ? shared : shared + find(watching, commits, tenantId);
      } catch {
        // The caller then asks the store, which reports its fault.
        return null;
      }
    },
    forget,
    close: () => void watching?.counting.close(),
  };
}

const sharedTenantId = 0;

interface Watching {
  counting: Connection;
  readCommits: Statement<[], number>;
  readRevision: (tenantId: number) => number;
}

function beginToWatch(file: string, connection: Connection, requireSame: () => void): Watching {
  // A wait for a lock would block every request. Without a revision, callers ask the store.
  const counting = openConnection(file, { fileMustExist: true, timeout: 0 });
  try {
    requireSame();
    return {
      counting,
      readCommits: counting.prepare<[], number>("pragma data_version").pluck(),
      readRevision: createReadRevision(connection, counting),
    };
  } catch (error) {
    counting.close();
    throw error;
  }
}

/** A connection's first query takes 3 ms. During a transaction, the store's connection sees uncommitted rows. */
function createReadRevision(connection: Connection, counting: Connection): (tenantId: number) => number {
  const prepared = new Map<Connection, Statement<[number], number>>();
  return (tenantId) => {
    const reading = connection.inTransaction ? counting : connection;
    const statement = prepared.get(reading) ?? reading.prepare<[number], number>(readSql).pluck();
    prepared.set(reading, statement);
    return statement.get(tenantId) ?? 0;
  };
}

const readSql = "select total(revision) from table_revisions where tenant_id = ?";
