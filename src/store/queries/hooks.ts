import { type Selectable, sql } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { Subscription } from "../../models/event-kinds.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";
import type { SecretPlace, Vault } from "../secrets/vault.ts";
import { openSecrets } from "./hook-target.ts";
import { readPage } from "./pages.ts";

/** Includes secrets: operations decide who sees them. A secret is null without its key. */
export type Hook = ReturnType<typeof toHook>;

type HookChange = Partial<
  Pick<
    Hook,
    | "api_version"
    | "description"
    | "events"
    | "headers"
    | "include_cause"
    | "include_previous"
    | "old_secret"
    | "old_secret_until"
    | "rate_limit"
    | "secret"
    | "url"
  >
>;

export interface NewHook {
  api_version: ApiVersion;
  created_on: Timestamp;
  description: string | null;
  events: Subscription[];
  headers: Readonly<Record<string, string>>;
  include_cause: boolean;
  include_previous: boolean;
  rate_limit: number | null;
  secret: string;
  url: string;
}

/** A worker's request for attempt slots of a rate-limited webhook. */
interface WantedPlaces {
  count: number;
  intervalMs: number;
  nowMs: number;
}

/** Clocks of machines on one store differ by less, and a lease is much longer. */
const placesAheadMsMax = 20_000;

export function hookQueries(access: TenantAccess, vault: Vault) {
  return { ...hookRecords(access, vault), ...hookWrites(access, vault), ...hookHealth(access) };
}

function hookRecords(access: TenantAccess, vault: Vault) {
  return {
    async find(id: number): Promise<Hook | undefined> {
      const row = await access.select("hooks").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toHook(row, vault);
    },
    async page(deleted: boolean | null | undefined, paging: Paging): Promise<Page<Hook>> {
      const all = access.select("hooks");
      const matching =
        typeof deleted === "boolean" ? all.where("deleted_at", deleted ? "is not" : "is", null) : all;
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map((row) => toHook(row, vault)) };
    },
    countActive: (max: number): Promise<number> =>
      access.count(access.selectUnseen("hooks").where("deleted_at", "is", null), max),
  };
}

function hookWrites(access: TenantAccess, vault: Vault) {
  const { tenantId } = access;
  return {
    /** Throws secret_key_missing without the current key. */
    async insert(hook: NewHook): Promise<Hook> {
      const seal = await vault.sealer();
      const plain = { headers: toHeadersText(hook.headers), secret: hook.secret };
      // The encryption binds a secret to the row's id, so the row comes first.
      const kept = seal === null ? plain : { headers: null, secret: "" };
      const row = { ...hook, events: JSON.stringify(hook.events), ...kept };
      const inserted = (await access
        .insert("hooks", row)
        .returningAll()
        .executeTakeFirstOrThrow()) as Selectable<Database["hooks"]>;
      if (seal === null) return toHook(inserted, vault);
      const place = { tenantId, hookId: inserted.id };
      const sealed = {
        headers: plain.headers && seal({ ...place, column: "headers" }, plain.headers),
        secret: seal({ ...place, column: "secret" }, plain.secret),
      };
      await access.update("hooks").set(sealed).where("id", "=", inserted.id).execute();
      return toHook({ ...inserted, ...sealed }, vault);
    },
    async update(id: number, { events, headers, old_secret, secret, ...changed }: HookChange): Promise<void> {
      const headersText = headers && toHeadersText(headers);
      const seal = secret || old_secret || headersText ? await vault.sealer() : null;
      const toStored = (column: SecretPlace["column"], text: string) =>
        seal === null ? text : seal({ tenantId, hookId: id, column }, text);
      const row = {
        ...changed,
        ...(events && { events: JSON.stringify(events) }),
        ...(headers && { headers: headersText && toStored("headers", headersText) }),
        ...(secret && { secret: toStored("secret", secret) }),
        ...(old_secret !== undefined && {
          old_secret: old_secret === null ? null : toStored("old_secret", old_secret),
        }),
      };
      await access.update("hooks").set(row).where("id", "=", id).execute();
    },
    /** Reserves slots, `intervalMs` apart; returns the first. Ignores slots that a wrong clock reserved far ahead. */
    async takePlaces(id: number, { count, intervalMs, nowMs }: WantedPlaces): Promise<number> {
      const span = Math.round(count * intervalMs);
      const { paced_until_ms: until } = await access
        .update("hooks")
        .set({
          paced_until_ms: sql<number>`${span} + case when paced_until_ms > ${nowMs}
            and paced_until_ms < ${nowMs + placesAheadMsMax} then paced_until_ms else ${nowMs} end`,
        })
        .where("id", "=", id)
        .returning("paced_until_ms")
        .executeTakeFirstOrThrow();
      return Number(until) - span;
    },
    async enable(id: number): Promise<void> {
      const enabled = { deleted_at: null, deleted_reason: null, failing_since: null };
      await access.update("hooks").set(enabled).where("id", "=", id).execute();
    },
    async deactivate(id: number, deletedAt: Timestamp, reason: string | null): Promise<void> {
      const deactivated = { deleted_at: deletedAt, deleted_reason: reason };
      await access.update("hooks").set(deactivated).where("id", "=", id).execute();
    },
  };
}

function hookHealth(access: TenantAccess) {
  return {
    /** A success ends a period of failures. */
    async recordAttempt(id: number, succeeded: boolean, at: Timestamp): Promise<void> {
      await access.run(noteAttempt, { id, at }, succeeded);
    },
    async recordFailedDelivery(
      id: number,
      at: Timestamp,
    ): Promise<{ failingSince: Timestamp; isActive: boolean }> {
      const row = await access
        .update("hooks")
        .set((eb) => ({ last_http_fail: at, failing_since: eb.fn.coalesce("failing_since", eb.val(at)) }))
        .where("id", "=", id)
        .returning(["failing_since", "deleted_at"])
        .executeTakeFirstOrThrow();
      return { failingSince: row.failing_since ?? at, isActive: row.deleted_at === null };
    },
  };
}

const noteAttempt = defineStatement(
  (
    { update }: TenantQueries,
    { id, at }: { id: Parameter<number>; at: Parameter<Timestamp> },
    succeeded: boolean,
  ) =>
    update("hooks")
      .set(succeeded ? { last_http_success: at, failing_since: null } : { last_http_fail: at })
      .where("id", "=", id),
);

function toHeadersText(headers: Readonly<Record<string, string>>): string | null {
  return Object.keys(headers).length === 0 ? null : JSON.stringify(headers);
}

function toHook({ paced_until_ms: _, tenant_id, ...row }: Selectable<Database["hooks"]>, vault: Vault) {
  return {
    ...row,
    ...openSecrets(vault, tenant_id, row),
    events: JSON.parse(row.events) as Subscription[],
    include_cause: Boolean(row.include_cause),
    include_previous: Boolean(row.include_previous),
  };
}
