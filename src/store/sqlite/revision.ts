import type { Connection, Statement } from "./connection.ts";
import { openConnection } from "./driver.ts";

/** Tells whether anybody has committed to what a store file holds of a tenant since it was last asked. */
export interface RevisionWatch {
  /**
   * Another number after each commit of any process, this one included, that wrote rows of the tenant or what tenants
   * share; with null only what they share. null when the file cannot be read.
   */
  current(tenantId: number | null): number | null;
  close(): void;
}

/**
 * Watches a store file on a connection of its own. SQLite counts the commits of others per connection, and this one
 * commits nothing and holds no transaction, so it sees every commit at once. To ask takes 2 µs while nobody commits, and
 * 10 µs for each tenant after a commit. The connection opens with the first question, because most commands never ask;
 * `requireSame` then throws when the name leads to another file by now.
 */
export function watchRevision(file: string, requireSame: () => void = () => undefined): RevisionWatch {
  let watching: Watching | undefined;
  const known = new Map<number, { commits: number; revision: number }>();
  const find = ({ readRevision }: Watching, commits: number, tenantId: number): number => {
    const found = known.get(tenantId);
    if (found?.commits === commits) return found.revision;
    // Read after the commits were counted: it is at least as new, and a commit in between is noticed by the next question.
    const revision = readRevision.get(tenantId) ?? 0;
    known.set(tenantId, { commits, revision });
    return revision;
  };
  return {
    current(tenantId) {
      try {
        watching ??= beginToWatch(file, requireSame);
        const commits = watching.readCommits.get() ?? 0;
        const shared = find(watching, commits, sharedTenantId);
        return tenantId === null ? shared : shared + find(watching, commits, tenantId);
      } catch {
        // Who then asks the store itself is told what is wrong with it.
        return null;
      }
    },
    close: () => void watching?.connection.close(),
  };
}

/** No tenant has this id. */
const sharedTenantId = 0;

interface Watching {
  connection: Connection;
  readCommits: Statement<[], number>;
  readRevision: Statement<[number], number>;
}

function beginToWatch(file: string, requireSame: () => void): Watching {
  // Waits for no lock: to wait would block every request, and who is told nothing asks the store.
  const connection = openConnection(file, { fileMustExist: true, timeout: 0 });
  try {
    requireSame();
    const readRevision = "select total(revision) from table_revisions where tenant_id = ?";
    return {
      connection,
      readCommits: connection.prepare<[], number>("pragma data_version").pluck(),
      readRevision: connection.prepare<[number], number>(readRevision).pluck(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}
