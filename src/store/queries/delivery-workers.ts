import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

export interface ListedWorker {
  id: string;
  /** Increases each second while the worker lives and holds deliveries. */
  beats: number;
  /** Whether its process may call private addresses despite the store's policy. */
  reachesPrivate: boolean;
}

export function deliveryWorkerQueries(db: Kysely<Database>) {
  return {
    async all(): Promise<ListedWorker[]> {
      const rows = await db.selectFrom("delivery_workers").selectAll().execute();
      return rows.map(({ worker_id, beats, reaches_private }) => ({
        id: worker_id,
        beats,
        reachesPrivate: Boolean(reaches_private),
      }));
    },

    async beat({ id, beats, reachesPrivate }: ListedWorker): Promise<void> {
      await db
        .insertInto("delivery_workers")
        .values({ worker_id: id, beats, reaches_private: reachesPrivate })
        .onConflict((conflict) => conflict.column("worker_id").doUpdateSet({ beats }))
        .execute();
    },

    /** Rewrites the worker's row, which proves that the store accepts writes. Returns false if the row has changed. */
    async confirm({ id, beats }: ListedWorker): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("delivery_workers")
        .set({ beats })
        .where("worker_id", "=", id)
        .where("beats", "=", beats)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async remove(id: string, beats?: number): Promise<boolean> {
      const removing = db.deleteFrom("delivery_workers").where("worker_id", "=", id);
      const { numDeletedRows } = await (beats === undefined
        ? removing
        : removing.where("beats", "=", beats)
      ).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
