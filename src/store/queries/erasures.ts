import type { Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { erasedPeopleQueries, erasedWhomQueries } from "./erased-people.ts";
import { erasedRowQueries } from "./erased-rows.ts";
import { keepAfter, readPage } from "./pages.ts";

export type ErasedType = "Customer" | "CustomerContact" | "User";

export type Erasure = ReturnType<typeof toErasure>;

export function erasureQueries(access: TenantAccess) {
  return {
    ...erasedPeopleQueries(access),
    ...erasedRowQueries(access),
    ...erasedWhomQueries(access),

    async insert(record: { id: number; type: ErasedType }, userId: number, now: Timestamp): Promise<Erasure> {
      const last = await access
        .selectUnseen("delivery_attempts")
        .select("id")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      const row = {
        attempts_after: last?.id ?? 0,
        erased_on: now,
        finished_on: null,
        record_id: record.id,
        record_type: record.type,
        user_id: userId,
      };
      const inserted = await access.insert("erasures", row).returningAll().executeTakeFirstOrThrow();
      return toErasure(inserted as Selectable<Database["erasures"]>);
    },

    async find(id: number): Promise<Erasure | undefined> {
      const row = await access.select("erasures").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toErasure(row);
    },

    async page(since: Timestamp | null, paging: Paging): Promise<Page<Erasure>> {
      const all = access.select("erasures");
      const matching = since === null ? all : all.where("erased_on", ">=", since);
      const behind = keepAfter(matching, paging.after);
      const show = (rows: typeof behind) => rows.selectAll().orderBy("id");
      const page = await readPage(access, matching, paging, show, { behind });
      return { ...page, rows: page.rows.map(toErasure) };
    },

    async next(): Promise<Erasure | undefined> {
      const open = access.selectUnseen("erasures").where("finished_on", "is", null);
      const row = await open.selectAll().orderBy("id").limit(1).executeTakeFirst();
      return row && toErasure(row);
    },

    async advance({ after_id, finished_on, id, rows_changed, step }: Erasure): Promise<void> {
      await access
        .update("erasures")
        .set({ after_id, finished_on, rows_changed, step })
        .where("id", "=", id)
        .execute();
    },
  };
}

function toErasure({ tenant_id: _, ...row }: Selectable<Database["erasures"]>) {
  return { ...row, record_type: row.record_type as ErasedType };
}
