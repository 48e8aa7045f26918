import { type Kysely, sql } from "kysely";
import { failure } from "../../errors/errors.ts";
import type { Condition } from "../condition.ts";
import { type Database, ownedTables } from "../schema/database.ts";

export interface WallFaults {
  passesWall: boolean;
  openTables: string[];
  withoutPolicy: string[];
}

/** A newer program checks the tables that it has added. */
const walledTables = [...Object.keys(ownedTables), "search_parts", "search_words"];

export async function findWallFaults(db: Kysely<Database>): Promise<WallFaults> {
  const { rows } = await sql<{ name: string | null; isOpen: boolean; passes: boolean }>`
    select r.rolsuper or r.rolbypassrls as passes, t.relname as name,
      not (t.relrowsecurity and t.relforcerowsecurity) as "isOpen"
    from pg_roles r left join (
      select c.relname, c.relrowsecurity, c.relforcerowsecurity from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and c.relname = any (${walledTables})
        and not (c.relrowsecurity and c.relforcerowsecurity
          and exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant_wall'))
    ) t on true
    where r.rolname = current_user order by t.relname`.execute(db);
  const named = rows.flatMap(({ isOpen, name }) => (name === null ? [] : [{ isOpen, name }]));
  const passesWall = rows[0]?.passes ?? false;
  const names = (isOpen: boolean) => named.filter((each) => each.isOpen === isOpen).map(({ name }) => name);
  return { passesWall, openTables: names(true), withoutPolicy: names(false) };
}

/** Records missing row-level security as a fault if it is required, else returns a warning. */
export async function noteWall(
  db: Kysely<Database>,
  condition: Condition,
  isRequired: boolean,
): Promise<string[]> {
  const reason = toWallFault(await findWallFaults(db));
  const isFault = reason !== null && isRequired;
  condition.note("row_level_security", isFault ? failure("store_unavailable", reason) : null);
  return reason === null ? [] : [reason];
}

function toWallFault({ openTables, passesWall, withoutPolicy }: WallFaults): string | null {
  if (passesWall)
    return "The database's user is a superuser or may bypass row-level security, so the database does not separate the tenants. Use another user, or add row_level_security=optional to the address.";
  const tables = [...openTables, ...withoutPolicy];
  if (tables.length === 0) return null;
  return `Row-level security is not in force on ${tables.join(", ")}, so the database does not separate the tenants there.`;
}
