import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A worker that holds deliveries, of any process. */
export interface ListedWorker {
  id: string;
  /** Another number each second while the worker lives and holds deliveries. */
  beats: number;
  /** Whether its process may reach private addresses whatever the store's policy is. */
  reachesPrivate: boolean;
}

/** The list of workers that hold deliveries; it belongs to no tenant. */
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

    /** Lists the worker, or writes that it lives. */
    async beat({ id, beats, reachesPrivate }: ListedWorker): Promise<void> {
      await db
        .insertInto("delivery_workers")
        .values({ worker_id: id, beats, reaches_private: reachesPrivate })
        .onConflict((conflict) => conflict.column("worker_id").doUpdateSet({ beats }))
        .execute();
    },

    /** Writes the worker's row as it is; false when it is another by now. So it is known that the store takes writes. */
    async confirm({ id, beats }: ListedWorker): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("delivery_workers")
        .set({ beats })
        .where("worker_id", "=", id)
        .where("beats", "=", beats)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Takes the worker off the list; with `beats` only if they are still these. Whether it was there. */
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
