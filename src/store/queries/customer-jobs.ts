import { flagsOffTheRoad, toJobState } from "../../models/job-state.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import { inOrder, keepWithout } from "./job-order.ts";
import { type Job, toJob } from "./job-record.ts";

export interface LastAndNext {
  last: Job | null;
  next: Job | null;
}

/**
 * The last completed and the next open job of each customer, among the jobs that the caller sees. A declined job is
 * next unless its day is before `today`.
 */
export async function findLastAndNext(
  access: TenantAccess,
  customerIds: readonly number[],
  today: () => Promise<Timestamp>,
): Promise<ReadonlyMap<number, LastAndNext>> {
  return new Map(
    await Promise.all(
      customerIds.map(async (id): Promise<[number, LastAndNext]> => {
        const [last, next] = await Promise.all([findLast(access, id), findNext(access, id, today)]);
        return [id, { last, next }];
      }),
    ),
  );
}

async function findNext(
  access: TenantAccess,
  customerId: number,
  today: () => Promise<Timestamp>,
): Promise<Job | null> {
  const flags = flagsOffTheRoad.filter((flag) => flag !== "is_declined");
  const open = keepWithout(access.select("jobs").where("customer_id", "=", customerId), flags);
  const first = await readFirst(open);
  if (!first || toJobState(first) !== "declined") return first;
  const start = await today();
  return readFirst(
    open.where((eb) => eb.or([eb("is_declined", "=", false), eb("schedule_key", ">=", start)])),
  );
}

async function readFirst(jobs: Parameters<typeof inOrder>[0]): Promise<Job | null> {
  const row = await inOrder(jobs).select(columns).limit(1).executeTakeFirst();
  return row ? toJob(row) : null;
}

async function findLast(access: TenantAccess, customerId: number): Promise<Job | null> {
  const row = await access
    .select("jobs")
    .where("customer_id", "=", customerId)
    .where("is_completed", "=", true)
    .where("is_deleted", "=", false)
    .select(columns)
    .orderBy("schedule_key", "desc")
    .orderBy("urgency", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toJob(row) : null;
}

const columns = ["id", "location_id", "created_by", "record"] as const;
