import type { Kysely } from "kysely";
import type { Retained } from "../../models/retention.ts";
import type { Role } from "../../models/user.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import { bindToTenant } from "../access/access.ts";
import { noMemories } from "../access/memories.ts";
import { wholeTenant } from "../access/row-scopes.ts";
import { allowsPrivateHooks, type Hold, readHold } from "../held-deliveries.ts";
import { backlogQueries } from "../queries/backlog.ts";
import { metadataQueries } from "../queries/metadata.ts";
import { retentionQueries } from "../queries/retention.ts";
import { type SecretForms, secretFormQueries } from "../queries/secret-forms.ts";
import type { Database } from "../schema/database.ts";
import { findWrongRoles, toKnownRoles, type WrongRoles } from "./wrong-roles.ts";

export interface RecordFacts {
  isHalfCopy: boolean;
  hold: Hold | null;
  lastWrittenOn: Timestamp | null;
  oldestLease: Timestamp | null;
  oldestPendingOn: Timestamp | null;
  dueSince: Timestamp | null;
  allowsPrivateHooks: boolean;
  activeHooks: { id: number; tenantId: number; url: string }[];
  disabledHooks: { id: number; tenantId: number; reason: string }[];
  frozenTenants: { id: number; reason: string }[];
  failingHooks: { id: number; tenantId: number; since: Timestamp }[];
  wrongRoles: WrongRoles[];
  secrets: SecretForms;
  latePruning: LatePruning[];
  expiringTokens: { id: number; tenantId: number; username: string; roles: Role[]; expiresOn: Timestamp }[];
}

export async function readRecordFacts(db: Kysely<Database>, now: Timestamp): Promise<RecordFacts> {
  return {
    isHalfCopy: await metadataQueries(db).isHalfCopy(),
    hold: await readHold(metadataQueries(db)),
    lastWrittenOn: await findLastWritten(db),
    ...(await findPending(db)),
    oldestPendingOn: await backlogQueries(db).oldestPendingDelivery(),
    allowsPrivateHooks: await allowsPrivateHooks(metadataQueries(db).get),
    activeHooks: await findActiveHooks(db),
    disabledHooks: await findDisabledHooks(db),
    frozenTenants: await backlogQueries(db).frozenTenants(),
    failingHooks: await findFailingHooks(db),
    wrongRoles: await findWrongRoles(db),
    secrets: await secretFormQueries(db).read(),
    latePruning: await findLatePruning(db, now),
    expiringTokens: await findExpiringTokens(db, now),
  };
}

async function findLastWritten(db: Kysely<Database>): Promise<Timestamp | null> {
  const rows = await db
    .selectFrom("tenants")
    .select((eb) => [
      eb
        .selectFrom("events")
        .whereRef("events.tenant_id", "=", "tenants.id")
        .select("events.created_on")
        .orderBy("events.id", "desc")
        .limit(1)
        .as("event"),
      eb
        .selectFrom("audit")
        .whereRef("audit.tenant_id", "=", "tenants.id")
        .select("audit.created_on")
        .orderBy("audit.id", "desc")
        .limit(1)
        .as("audit"),
    ])
    .execute();
  const moments = rows.flatMap(({ event, audit }) => [event, audit]).filter((moment) => moment !== null);
  return moments.sort().at(-1) ?? null;
}

async function findPending(db: Kysely<Database>): Promise<Pick<RecordFacts, "dueSince" | "oldestLease">> {
  const row = await db
    .selectFrom("deliveries")
    .where("status", "=", "pending")
    .select((eb) => [eb.fn.min("next_attempt_on").as("due"), eb.fn.min("leased_until").as("lease")])
    .executeTakeFirst();
  return { dueSince: row?.due ?? null, oldestLease: row?.lease ?? null };
}

async function findActiveHooks(db: Kysely<Database>): Promise<RecordFacts["activeHooks"]> {
  return db
    .selectFrom("hooks")
    .where("deleted_at", "is", null)
    .select(["id", "tenant_id as tenantId", "url"])
    .orderBy("id")
    .execute();
}

async function findDisabledHooks(db: Kysely<Database>): Promise<RecordFacts["disabledHooks"]> {
  const rows = await db
    .selectFrom("hooks")
    .where("deleted_at", "is not", null)
    .where("deleted_reason", "is not", null)
    .select(["id", "tenant_id", "deleted_reason"])
    .orderBy("deleted_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ id: row.id, tenantId: row.tenant_id, reason: row.deleted_reason ?? "" }));
}

async function findFailingHooks(db: Kysely<Database>): Promise<RecordFacts["failingHooks"]> {
  const rows = await db
    .selectFrom("hooks")
    .where("deleted_at", "is", null)
    .where("failing_since", "is not", null)
    .select(["id", "tenant_id as tenantId", "failing_since as since"])
    .orderBy("failing_since")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ since, ...hook }) => (since === null ? [] : [{ ...hook, since }]));
}

async function findExpiringTokens(
  db: Kysely<Database>,
  now: Timestamp,
): Promise<RecordFacts["expiringTokens"]> {
  const rows = await db
    .selectFrom("tokens")
    .where("expires_on", ">", now)
    .where("revoked_on", "is", null)
    .select(["id", "tenant_id", "username", "roles", "expires_on"])
    .orderBy("expires_on")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    username: row.username,
    // wrong-roles.ts reports invalid roles.
    roles: toKnownRoles(row.roles) ?? [],
    expiresOn: row.expires_on ?? "",
  }));
}

interface LatePruning {
  keptFor: string;
  kind: Retained;
  tenantId: number;
}

/** A server deletes expired rows within an hour; a backlog of years may take longer. */
const graceMs = 24 * 60 * 60 * 1000;

async function findLatePruning(db: Kysely<Database>, now: Timestamp): Promise<LatePruning[]> {
  const then = toTimestamp(toEpochMs(now) - graceMs);
  const tenants = await db.selectFrom("tenants").select("id").orderBy("id").execute();
  const late: LatePruning[] = [];
  for (const { id: tenantId } of tenants) {
    const retention = retentionQueries(bindToTenant(toReadRows(db), tenantId, wholeTenant, noMemories));
    for (const rule of await retention.rules())
      if (await retention.isDue(rule, then)) late.push({ keptFor: rule.keptFor, kind: rule.kind, tenantId });
  }
  return late;
}

const toReadRows = (db: Kysely<Database>) => ({
  all: db,
  combinesInserts: false,
  keepsCounts: false,
  last: () => Promise.reject(new Error("Nothing is written here.")),
  locksRows: false,
  own: db,
});
