import { sql } from "kysely";
import type * as z from "zod";
import { JobAssetModel } from "../../models/asset.ts";
import { DriverChatMessageModel } from "../../models/chat.ts";
import { CustomerModel, DispatchCustomerLocationModel } from "../../models/customer.ts";
import { DriverModel } from "../../models/driver.ts";
import { eventModels } from "../../models/event.ts";
import { GpsStopModel } from "../../models/gps.ts";
import { JobModel } from "../../models/job.ts";
import { AdditionalItemModel, JobImageModel, JobReturnFullModel } from "../../models/job-parts.ts";
import type { Shape } from "../../models/model.ts";
import { type Erasing, erasedFields, withoutPersonal } from "../../models/personal.ts";
import type { RecordType } from "../../models/record-types.ts";
import { TokenModel, UserModel } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { NumberedTable } from "../schema/database.ts";
import { createChangeStamp } from "./change-stamp.ts";
import { toJob, toJobRow } from "./job-record.ts";
import type { Matching } from "./pages.ts";

/** Models name the personal columns; `also` adds columns that no response shows. */
const erasedTables = {
  assets: { model: JobAssetModel },
  chat_messages: { model: DriverChatMessageModel },
  drivers: { model: DriverModel },
  gps_events: { model: GpsStopModel, also: { accuracy: null, altitude: null } },
  job_images: { model: JobImageModel },
  job_items: { model: AdditionalItemModel },
  job_returns: { model: JobReturnFullModel },
  tokens: { model: TokenModel },
  users: { model: UserModel },
} as const satisfies Partial<
  Record<NumberedTable, { also?: Record<string, null>; model: z.ZodObject<Shape> }>
>;

const auditModels: Partial<Record<RecordType, z.ZodObject<Shape>>> = {
  Asset: JobAssetModel,
  ChatMessage: DriverChatMessageModel,
  Customer: CustomerModel,
  CustomerLocation: DispatchCustomerLocationModel,
  Driver: DriverModel,
  Job: JobModel,
  Token: TokenModel,
  User: UserModel,
};

type ErasedTable = keyof typeof erasedTables;

export function erasedRowQueries(access: TenantAccess) {
  return {
    async eraseRows(table: ErasedTable, ids: readonly number[], word: string): Promise<number> {
      if (ids.length === 0) return 0;
      const facts: { also?: Record<string, null>; model: z.ZodObject<Shape> } = erasedTables[table];
      const erased = { ...erasedFields(facts.model, word), ...facts.also };
      // The nine tables have only the id in common.
      const rows = access
        .update(table as "assets")
        .set(erased as never)
        .where("id", "in", ids);
      return Number((await rows.executeTakeFirstOrThrow()).numUpdatedRows);
    },

    async eraseJobs(ids: readonly number[], erasing: Erasing, now: Timestamp): Promise<number> {
      if (ids.length === 0) return 0;
      const changed_on = await createChangeStamp(access).at(now);
      const rows = await access.selectUnseen("jobs").where("id", "in", ids).selectAll().execute();
      for (const row of rows) {
        const { id, ...job } = toJob(row);
        const erased = withoutPersonal(JobModel, job, erasing) as typeof job;
        const { record } = toJobRow(erased);
        await access.update("jobs").set({ changed_on, record }).where("id", "=", id).execute();
      }
      let changed = rows.length;
      for (const table of ["job_images", "job_items", "job_returns"] as const) {
        const parts = access.selectUnseen(table).where("job_id", "in", ids).select("id");
        changed += await this.eraseRows(
          table,
          (await parts.execute()).map(({ id }) => id),
          erasing.word,
        );
      }
      return changed;
    },

    async eraseAudit(
      type: RecordType,
      ids: readonly number[],
      erasing: Erasing,
      part = whole,
    ): Promise<Erased> {
      const model = auditModels[type];
      if (!model || ids.length === 0) return { changed: 0, lastId: null };
      const entries = await access
        .selectUnseen("audit")
        .where("record_type", "=", type)
        .where("record_id", "in", ids)
        .where("id", ">", part.afterId)
        .select(["after", "before", "id"])
        .orderBy("id")
        .limit(part.max)
        .execute();
      let changed = 0;
      for (const { id, ...was } of entries) {
        const after = eraseText(model, was.after, erasing);
        const before = eraseText(model, was.before, erasing);
        if (after === was.after && before === was.before) continue;
        await access.update("audit").set({ after, before }).where("id", "=", id).execute();
        changed += 1;
      }
      return { changed, lastId: entries.length < part.max ? null : (entries.at(-1)?.id ?? null) };
    },

    async eraseEvents(
      kind: "Customer" | "CustomerLocation" | "Job",
      ids: readonly number[],
      erasing: Erasing,
      part = whole,
    ): Promise<Erased> {
      if (ids.length === 0) return { changed: 0, lastId: null };
      const rows = access.selectUnseen("events").where("kind", "=", kind).where("record_id", "in", ids);
      const ahead = rows.where("id", ">", part.afterId);
      const [last] = await ahead
        .select("id")
        .orderBy("id")
        .offset(part.max - 1)
        .limit(1)
        .execute();
      const some = last ? ahead.where("id", "<=", last.id) : ahead;
      return { changed: await eraseMatching(access, some, erasing), lastId: last?.id ?? null };
    },

    /** Events of the customer's former jobs, found by their texts in batches. `lastId` is null at the end. */
    async eraseFormerJobs(customerId: number, afterId: number, erasing: Erasing): Promise<Erased> {
      const ahead = access.selectUnseen("events").where("id", ">", afterId);
      const [last] = await ahead
        .select("id")
        .orderBy("id")
        .offset(eventsRead - 1)
        .limit(1)
        .execute();
      const some = last ? ahead.where("id", "<=", last.id) : ahead;
      const named = `%"customer_id":${customerId}`;
      const matching = some
        .where("kind", "=", "Job")
        .where((eb) => eb.or([eb("data", "like", `${named},%`), eb("data", "like", `${named}}%`)]));
      return { changed: await eraseMatching(access, matching, erasing), lastId: last?.id ?? null };
    },

    async eraseAttempts(customerId: number, afterId: number): Promise<number> {
      const deliveries = ofCustomer(access, customerId).select("deliveries.id");
      const attempts = access
        .update("delivery_attempts")
        .set(nothingSent)
        .where("id", ">", afterId)
        .where("delivery_id", "in", deliveries)
        .where(hasText);
      return Number((await attempts.executeTakeFirstOrThrow()).numUpdatedRows);
    },

    /** Whether a running attempt may have read an event of the customer before the erasure. */
    async isBeingSent(customerId: number, now: Timestamp): Promise<boolean> {
      const leased = ofCustomer(access, customerId).where("leased_until", ">", now).select("deliveries.id");
      return (await leased.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

const eventsRead = 2000;

export interface Erased {
  changed: number;
  lastId: number | null;
}

/** All rows at once: few records have few rows. */
const whole = { afterId: 0, max: 1_000_000 };

const hasText = sql<boolean>`(request_body is not null or response_body is not null)`;

/** A delivery's headers sign its body, so the erasure includes them. */
const nothingSent = {
  request_body: null,
  request_headers: null,
  response_body: null,
  response_headers: null,
};

function ofCustomer(access: TenantAccess, customerId: number): Matching<"deliveries"> {
  const jobs = access.selectUnseen("jobs").where("customer_id", "=", customerId).select("id");
  return access
    .selectUnseen("deliveries")
    .where((eb) =>
      eb.or([
        eb("kind", "in", ["Customer", "CustomerLocation"]).and("record_id", "=", customerId),
        eb("kind", "=", "Job").and("record_id", "in", jobs),
      ]),
    );
}

async function eraseMatching(
  access: TenantAccess,
  matching: Matching<"events">,
  erasing: Erasing,
): Promise<number> {
  const events = await matching.select(["data", "id", "kind", "previous"]).execute();
  const erased: number[] = [];
  for (const { id, kind, ...was } of events) {
    const model: z.ZodType = eventModels[kind as keyof typeof eventModels];
    const data = eraseText(model, was.data, erasing) ?? was.data;
    const previous = eraseText(model, was.previous, erasing);
    if (data === was.data && previous === was.previous) continue;
    await access.update("events").set({ data, previous }).where("id", "=", id).execute();
    erased.push(id);
  }
  if (erased.length === 0) return 0;
  const deliveries = access.selectUnseen("deliveries").where("event_id", "in", erased).select("id");
  const attempts = access
    .update("delivery_attempts")
    .set(nothingSent)
    .where("delivery_id", "in", deliveries)
    .where(hasText);
  return erased.length + Number((await attempts.executeTakeFirstOrThrow()).numUpdatedRows);
}

function eraseText(model: z.ZodType, json: string | null, erasing: Erasing): string | null {
  return json === null ? null : JSON.stringify(withoutPersonal(model, JSON.parse(json), erasing));
}
