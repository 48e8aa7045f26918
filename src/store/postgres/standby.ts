import { type Kysely, sql } from "kysely";
import { failure } from "../../errors/errors.ts";
import type { Condition } from "../condition.ts";
import type { Database } from "../schema/database.ts";

/** A proxy reads from a standby that is less far behind (docs/operations/postgresql.md#scaling). */
const lagMsMax = 5000;

/** Returns how far a standby is behind its primary, null for a primary. A standby is a fault: it takes no changes. */
export async function noteStandby(db: Kysely<Database>, condition: Condition): Promise<number | null> {
  // Without a connection to the primary, only the time of the last commit shows what may be missing.
  const { rows } = await sql<{ lagMs: number | null }>`select case when pg_is_in_recovery() then case
      when pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() and exists (select from pg_stat_wal_receiver) then 0
      else extract(epoch from clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()))
        * 1000 end::float8 end as "lagMs"`.execute(db);
  const lagMs = rows[0]?.lagMs ?? null;
  const isLate = lagMs !== null && lagMs > lagMsMax;
  const note = (check: "standby" | "standby_lag", isFault: boolean, reason: string) =>
    condition.note(check, isFault ? failure("store_unavailable", reason) : null);
  note("standby", lagMs !== null, "The database is a standby. Send reads here, and changes to its primary.");
  note("standby_lag", isLate, `The standby is ${Math.round((lagMs ?? 0) / 1000)} s behind its primary.`);
  return lagMs;
}
