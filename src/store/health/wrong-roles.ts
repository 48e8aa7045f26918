import type { Kysely } from "kysely";
import { type Role, roles } from "../../models/user.ts";
import type { Database } from "../schema/database.ts";

export interface WrongRoles {
  what: "token" | "user";
  id: number;
  tenantId: number;
  /** A location where the user is an addressee. */
  locationId: number;
  stored: string;
  /** The known roles in the text; null if it is not a list, which makes the record unreadable. */
  left: Role[] | null;
}

const foundMax = 100;

export async function findWrongRoles(db: Kysely<Database>): Promise<WrongRoles[]> {
  const users = await findIn(db, "users");
  // A revoked token is unused, but a text that is not a list breaks the list of tokens.
  const tokens = (await findIn(db, "tokens")).filter(
    ({ left, revoked_on }) => left === null || revoked_on === null,
  );
  const locations = await db
    .selectFrom("locations")
    .select((eb) => ["tenant_id", eb.fn.min("id").as("id")])
    .groupBy("tenant_id")
    .execute();
  const firstOf = new Map(locations.map(({ id, tenant_id }) => [tenant_id, Number(id)]));
  const toWrong = (what: WrongRoles["what"], row: Found): WrongRoles => ({
    what,
    id: row.id,
    tenantId: row.tenant_id,
    locationId: row.location_id ?? firstOf.get(row.tenant_id) ?? 1,
    stored: row.roles,
    left: row.left,
  });
  return [...users.map((row) => toWrong("user", row)), ...tokens.map((row) => toWrong("token", row))];
}

export function toKnownRoles(text: string): Role[] | null {
  const list = parseList(text);
  return list && roles.filter((role) => list.includes(role));
}

interface Found {
  id: number;
  left: Role[] | null;
  location_id: number | null;
  revoked_on: string | null;
  roles: string;
  tenant_id: number;
}

async function findIn(db: Kysely<Database>, table: "tokens" | "users"): Promise<Found[]> {
  const texts = await db.selectFrom(table).select("roles").distinct().execute();
  const wrong = texts.map(({ roles: text }) => text).filter((text) => !isRight(text));
  if (wrong.length === 0) return [];
  const rows =
    table === "users"
      ? await db
          .selectFrom("users")
          .where("roles", "in", wrong.slice(0, foundMax))
          .select(["id", "location_id", "roles", "tenant_id"])
          .orderBy("id")
          .limit(foundMax)
          .execute()
      : await db
          .selectFrom("tokens")
          .where("roles", "in", wrong.slice(0, foundMax))
          .select(["id", "revoked_on", "roles", "tenant_id"])
          .orderBy("id")
          .limit(foundMax)
          .execute();
  return rows.map((row) => ({
    location_id: null,
    revoked_on: null,
    ...row,
    left: toKnownRoles(row.roles),
  }));
}

function isRight(text: string): boolean {
  return parseList(text)?.length === toKnownRoles(text)?.length && parseList(text) !== null;
}

function parseList(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
