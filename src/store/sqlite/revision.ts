import { nextTick } from "node:process";
import type { Connection, Statement } from "./connection.ts";
import { openConnection } from "./driver.ts";

export interface RevisionWatch {
  /**
   * A number that changes after each commit, by any process, that wrote rows of the tenant or shared rows; with null,
   * only for shared rows. null when the file cannot be read. Commits of other processes become visible when the next
   * callback of the event loop runs, or at once with `isFresh`.
   */
  current(tenantId: number | null, isFresh?: boolean): number | null;
  forget(): void;
  close(): void;
}

/**
 * Watches a store file, and asks `connection`, which the store works on, what the commits changed. SQLite counts the
 * commits of others per connection, so this opens a connection that commits nothing and holds no transaction: it sees
 * every commit at once. A question takes 3 µs while no process commits, and 10 µs for each tenant after a commit. The
 * connection opens with the first question, because many commands never ask; `requireSame` then throws if the name
 * leads to another file.
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
    // Read after the commits were counted: it is at least as new, and a commit in between is noticed by the next question.
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
        // A caller that then asks the store itself learns what is wrong with it.
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
  // Waits for no lock, which would block every request. Without a revision, callers ask the store.
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

/**
 * Reads on the store's own connection: the first query of a connection reads the schema, which takes 3 ms, and most
 * commands end after that. In a transaction, the store's connection would see an older or uncommitted state, so the
 * counting connection reads then.
 */
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
