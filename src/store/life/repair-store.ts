import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";
import { isPostgresAddress } from "../postgres/address.ts";
import { lockWrongParts, recountParts } from "../queries/job-parts.ts";
import { compareDefinitions, type Definition, isDerived, type TableFacts } from "../schema/table-facts.ts";
import { toSearchRefillOnPostgres } from "../search/postgres-index.ts";
import { expectedDefinitions, readDefinitions } from "../sqlite/definitions.ts";
import { openConnection } from "../sqlite/driver.ts";
import { toReadOnly, toStoreError } from "../sqlite/errors.ts";
import { recount } from "../sqlite/kept-counts.ts";
import { isReadOnlyPlace } from "../sqlite/private-copy.ts";

export interface Repair {
  made: string[];
  removed: string[];
  recounted: boolean;
}

/**
 * Recreates indexes and triggers, removes foreign ones, and rebuilds counts and SQLite's search index. Throws
 * state_conflict for a missing table or column, which only a backup can restore.
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
        const foreign = facts.foreign.filter(isDerived);
        for (const { kind, name } of foreign) connection.exec(`drop ${kind} ${JSON.stringify(name)}`);
        for (const { kind, name, text } of derived)
          connection.exec(`drop ${kind} if exists ${JSON.stringify(name)}; ${text}`);
        recount(connection);
        connection.exec(recountParts);
        return { made: derived.map(toLabel), removed: foreign.map(toLabel), recounted: true };
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
      throw failure("store_unavailable", "The server does not let this user create temporary tables.");
    const facts = compareDefinitions(expected, found);
    const derived = requireDerived(facts);
    const foreign = facts.foreign.filter(isDerived);
    for (const one of foreign) await connection.commandWithoutTimeout(toRemoval(one));
    // Functions first: triggers call them.
    for (const one of derived.toSorted(
      (a, b) => Number(b.kind === "function") - Number(a.kind === "function"),
    ))
      await connection.commandWithoutTimeout(toRemaking(one));
    await connection.commandWithoutTimeout(toSearchRefillOnPostgres());
    await connection.commandWithoutTimeout(`${lockWrongParts}; ${recountParts}`);
    return { made: derived.map(toLabel), removed: foreign.map(toLabel), recounted: true };
  });
}

/** "or replace" keeps the triggers of a function. */
function toRemaking(one: Definition): string {
  const { kind, name, table, text } = one;
  if (kind === "function") return text;
  const making =
    kind === "constraint"
      ? `alter table ${JSON.stringify(table)} add constraint ${JSON.stringify(name)} ${text}`
      : text;
  return `${toRemoval(one)}; ${making}`;
}

function toRemoval({ kind, name, table }: Definition): string {
  const [quoted, quotedTable] = [JSON.stringify(name), JSON.stringify(table)];
  if (kind === "constraint") return `alter table ${quotedTable} drop constraint if exists ${quoted}`;
  return `drop ${kind} if exists ${quoted}${kind === "index" || kind === "function" ? "" : ` on ${quotedTable}`}`;
}

const toLabel = ({ kind, name }: Definition) => `${kind} ${name}`;

function requireDerived({ different, missing }: TableFacts) {
  const wrong = [...missing, ...different];
  const lost = wrong.filter((definition) => !isDerived(definition));
  if (lost.length === 0) return wrong;
  const names = lost.map(toLabel).join(", ");
  throw failure("state_conflict", `These cannot be repaired: ${names}. Restore a backup.`);
}
