import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";
import { isPostgresAddress } from "../postgres/address.ts";
import { compareDefinitions, type Definition, isDerived, type TableFacts } from "../schema/table-facts.ts";
import { toSearchRefillOnPostgres } from "../search/postgres-index.ts";
import { expectedDefinitions, readDefinitions } from "../sqlite/definitions.ts";
import { openConnection } from "../sqlite/driver.ts";
import { toReadOnly, toStoreError } from "../sqlite/errors.ts";
import { recount } from "../sqlite/kept-counts.ts";
import { isReadOnlyPlace } from "../sqlite/private-copy.ts";

/** What was made anew. */
export interface Repair {
  /** The indexes and triggers. */
  made: string[];
  /** Whether the counts that SQLite keeps were counted again. */
  recounted: boolean;
}

/**
 * Makes anew what a store can do without: missing or different indexes and triggers, and on SQLite the counts that triggers
 * keep, and the search index. A file in one transaction, a database index by index, so that an interrupted repair is made again; while the store
 * is served. Its schema must be the newest. Throws state_conflict where a table or a column is missing, which only a backup
 * has.
 */
export async function repairStore(data: string, env?: Environment): Promise<Repair> {
  return isPostgresAddress(data) ? repairPostgres(data, env) : repairFile(data);
}

function repairFile(file: string): Repair {
  if (isReadOnlyPlace(file)) throw toReadOnly(file);
  const connection = openConnection(file, { fileMustExist: true, timeout: 10_000 });
  try {
    return connection
      .transaction((): Repair => {
        const facts = compareDefinitions(expectedDefinitions(), readDefinitions(connection));
        const derived = requireDerived(facts);
        for (const { kind, name, text } of derived)
          connection.exec(`drop ${kind} if exists ${JSON.stringify(name)}; ${text}`);
        recount(connection);
        return { made: derived.map(({ kind, name }) => `${kind} ${name}`), recounted: true };
      })
      .immediate();
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    connection.close();
  }
}

async function repairPostgres(data: string, env?: Environment): Promise<Repair> {
  const { withConnection } = await import("../postgres/postgres.ts");
  const { readPostgresDefinitions } = await import("../postgres/definitions.ts");
  return withConnection(data, env, async (connection) => {
    const { expected, found } = await readPostgresDefinitions(connection);
    if (expected === null)
      throw failure("store_unavailable", "The server does not let this user make temporary tables.");
    const derived = requireDerived(compareDefinitions(expected, found));
    // Functions first: triggers call them, and the index is filled by them.
    for (const one of derived.toSorted(
      (a, b) => Number(b.kind === "function") - Number(a.kind === "function"),
    ))
      await connection.commandWithoutTimeout(toRemaking(one));
    await connection.commandWithoutTimeout(toSearchRefillOnPostgres());
    return { made: derived.map(({ kind, name }) => `${kind} ${name}`), recounted: false };
  });
}

/** Functions say "or replace" themselves: what calls them stays. */
function toRemaking({ kind, name, table, text }: Definition): string {
  if (kind === "function") return text;
  const on = kind === "trigger" ? ` on ${JSON.stringify(table)}` : "";
  return `drop ${kind} if exists ${JSON.stringify(name)}${on}; ${text}`;
}

function requireDerived({ different, missing }: TableFacts) {
  const wrong = [...missing, ...different];
  const lost = wrong.filter((definition) => !isDerived(definition));
  if (lost.length === 0) return wrong;
  const names = lost.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  throw failure("state_conflict", `Not as it should be, and not to be made anew: ${names}. A backup has it.`);
}
