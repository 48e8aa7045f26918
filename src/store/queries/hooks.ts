import type { Selectable } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { HookEvent } from "../../models/hook.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";
import { readPage } from "./pages.ts";

/** A webhook with its secret; operations decide who is shown the secret (OP-72). */
export type Hook = ReturnType<typeof toHook>;

export interface NewHook {
  api_version: ApiVersion;
  created_on: Timestamp;
  events: HookEvent[];
  secret: string;
  url: string;
}

/** Webhooks, and what their deliveries say of their receivers. */
export function hookQueries(access: TenantAccess) {
  return { ...hookRecords(access), ...hookHealth(access) };
}

function hookRecords(access: TenantAccess) {
  return {
    async find(id: number): Promise<Hook | undefined> {
      const row = await access.select("hooks").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toHook(row);
    },
    /** `deleted`: true only deactivated hooks, false only active ones, null both. */
    async page(deleted: boolean | null | undefined, paging: Paging): Promise<Page<Hook>> {
      const all = access.select("hooks");
      const matching =
        typeof deleted === "boolean" ? all.where("deleted_at", deleted ? "is not" : "is", null) : all;
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toHook) };
    },
    /** How many active hooks the tenant has; it counts to `max` at most. */
    countActive: (max: number): Promise<number> =>
      access.count(access.selectUnseen("hooks").where("deleted_at", "is", null), max),
    async insert(hook: NewHook): Promise<Hook> {
      const row = { ...hook, events: JSON.stringify(hook.events) };
      const inserted = await access.insert("hooks", row).returningAll().executeTakeFirstOrThrow();
      return toHook(inserted as Selectable<Database["hooks"]>);
    },
    async update({
      id,
      api_version,
      events,
      old_secret,
      old_secret_until,
      secret,
      url,
    }: Hook): Promise<void> {
      const changed = {
        api_version,
        events: JSON.stringify(events),
        old_secret,
        old_secret_until,
        secret,
        url,
      };
      await access.update("hooks").set(changed).where("id", "=", id).execute();
    },
    async enable(id: number): Promise<void> {
      const enabled = { deleted_at: null, deleted_reason: null, failing_since: null };
      await access.update("hooks").set(enabled).where("id", "=", id).execute();
    },
    /** `reason` says why when nobody asked for it. */
    async deactivate(id: number, deletedAt: Timestamp, reason: string | null): Promise<void> {
      const deactivated = { deleted_at: deletedAt, deleted_reason: reason };
      await access.update("hooks").set(deactivated).where("id", "=", id).execute();
    },
  };
}

/** How the last attempts went (OP-78). */
function hookHealth(access: TenantAccess) {
  return {
    /** Keeps when the last attempt was made, by how it went; a success ends a time of failures. */
    async recordAttempt(id: number, succeeded: boolean, at: Timestamp): Promise<void> {
      await access.run(noteAttempt, { id, at }, succeeded);
    },
    /** The same for a delivery that failed; gives since when they fail, and whether the webhook is still active. */
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

function toHook({ tenant_id: _, ...row }: Selectable<Database["hooks"]>) {
  return { ...row, events: JSON.parse(row.events) as HookEvent[] };
}
