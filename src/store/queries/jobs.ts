import type { Selectable } from "kysely";
import type { JobCursor } from "../../models/job-cursor.ts";
import { flagsOffTheRoad } from "../../models/job-state.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter, type ParametersOf } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";
import { type ChangeStamp, createChangeStamp } from "./change-stamp.ts";
import { loadEmbedded, type ShownRow, type StoredJob, shownColumns } from "./job-embeds.ts";
import { filterJobs, type ListFilters, sumJobs } from "./job-filters.ts";
import { inOrder, keepBehind, keepWithout, toPlace, toScheduleKey } from "./job-order.ts";
import type { PartCounts } from "./job-parts.ts";
import { type Job, type JobFields, toJob, toJobRow } from "./job-record.ts";
import { keepAfter, readPage } from "./pages.ts";

/** What the store keeps of a job beside its own fields, to answer filters with (OP-49, OP-50). */
export interface JobMetadata {
  /** When the store changed the job last, where that is not now: of a history that is written down (OP-101). */
  changed_on?: Timestamp;
  completed_by_driver: boolean;
  created_on: Timestamp;
  /** The job whose completion made this pickup (OP-47). */
  pickup_of?: number;
  returned_by: number | null;
  returned_by_driver: boolean;
}

/** The part of it that changes with the job. */
export type ChangingJobMetadata = Omit<JobMetadata, "changed_on" | "created_on" | "pickup_of">;

/** A job as it is worked with, and as its answers are made of it. */
export interface StoredJobRow {
  job: Job;
  row: ShownRow;
}

/** A job that was found, and what is kept beside it. */
export interface KeptJob extends StoredJobRow {
  metadata: ChangingJobMetadata;
}

export function jobQueries(access: TenantAccess) {
  const changes = createChangeStamp(access);
  return {
    ...jobWrites(access, changes),

    /** Reads at once with others what a write of jobs in this transaction asks for first. */
    prepareToWrite: () => changes.prepare(),
    /** The job's own fields, when it belongs to the location and may be seen. */
    find: async (locationId: number, id: number): Promise<KeptJob | undefined> =>
      toKeptJob(await access.run(findKept, { locationId, id }, "read")),

    /** The same for a transaction that changes the job: nobody else changes it until the transaction ends. */
    findToChange: async (locationId: number, id: number): Promise<KeptJob | undefined> =>
      toKeptJob(
        (await Promise.all([access.run(findKept, { locationId, id }, "change"), changes.prepare()]))[0],
      ),

    /** Whether a pickup was made when the job was completed before, seen or not (OP-47). */
    hasPickup: async (id: number): Promise<boolean> => (await access.run(findPickup, { id })).length > 0,

    /** The job as it is answered, when it belongs to the location and may be seen. */
    async show(locationId: number, id: number): Promise<StoredJob | undefined> {
      const [row] = await access.run(findShown, { locationId, id });
      return row && (await loadEmbedded(access, [row]))[0];
    },

    /** Whether the caller sees the job. */
    isSeen: async (id: number): Promise<boolean> =>
      access.coversTenant || (await access.run(findSeen, { id })).length > 0,

    /**
     * The job as it is answered to the caller who has just written it, seen or not: a driver who reopens a job on
     * another's truck loses sight of it by doing so.
     */
    async showWritten({ row }: StoredJobRow): Promise<StoredJob> {
      return onlyOne(await loadEmbedded(access, [row]));
    },

    /**
     * The event payload of a job, with all embedded records, seen by the caller or not. To a caller who sees the whole
     * tenant it was `shown` with the same.
     */
    async toEventPayload({ job, row }: StoredJobRow, shown?: StoredJob): Promise<Record<string, unknown>> {
      const isWhole = shown !== undefined && access.coversTenant;
      const { computed } = isWhole ? shown : onlyOne(await loadEmbedded(access, [row], "whole"));
      // A second spread would set field by field: 13 µs instead of 3.
      return Object.assign({ ...job }, computed);
    },

    /** The place in OP-51 order of a job that the caller sees. */
    findPlace: (id: number) => readPlace(access, id),
    page: (filters: ListFilters, paging: Paging) => readJobs(access, filters, paging),

    /** The first jobs of a truck that its driver still has to do, in OP-51 order (OP-60). */
    async openOfTruck(truckId: number, limit: number): Promise<Page<Job>> {
      const page = await readPage(access, openOf(access, truckId), { index: 1, limit }, (rows) =>
        inOrder(rows).select(ownColumns),
      );
      return { total: page.total, rows: page.rows.map(toJob) };
    },

    /**
     * The first jobs of a truck of a span of dates, its end not among them, in OP-51 order; null: those without a date. Those
     * that its driver still has to do, or all that are not deleted.
     */
    async ofTruckAt(
      truckId: number,
      span: { from: Timestamp; to: Timestamp } | null,
      { isOpen, limit }: { isOpen: boolean; limit: number },
    ): Promise<Job[]> {
      const jobs = isOpen ? openOf(access, truckId) : keptOf(access, truckId);
      const wanted = span
        ? jobs.where("schedule_key", ">=", span.from).where("schedule_key", "<", span.to)
        : jobs.where("schedule_key", "=", toScheduleKey(null));
      const rows = await inOrder(wanted).select(ownColumns).limit(limit).execute();
      return rows.map(toJob);
    },

    assetNames: (jobs: readonly Job[]) => findAssetNames(access, jobs),
  };
}

async function readPlace(access: TenantAccess, id: number): Promise<JobCursor | undefined> {
  const [row] = await access.run(findPlace, { id });
  return row && toPlace(row);
}

/** A page of the jobs that pass the filters, in OP-51 order, or by id after an id, as they are answered. */
async function readJobs(
  access: TenantAccess,
  filters: ListFilters,
  paging: Paging,
): Promise<Page<StoredJob>> {
  const { after = null } = paging;
  const matching = await filterJobs(access, filters);
  const isById = typeof after === "number";
  const isBehind = after !== null && typeof after === "object" && "priority" in after;
  const page = await readPage(
    access,
    matching,
    paging,
    (rows) => (isById ? rows.orderBy("jobs.id") : inOrder(rows)).select(shownColumns),
    {
      behind: isBehind ? keepBehind(matching, after) : keepAfter(matching, after),
      known: await sumJobs(access, filters),
    },
  );
  return { ...page, rows: await loadEmbedded(access, page.rows) };
}

/** What the assets of jobs are called in print: number, else description, else the type's name. */
async function findAssetNames(access: TenantAccess, jobs: readonly Job[]): Promise<Map<number, string>> {
  const ids = jobs.flatMap((job) => [job.asset_id, job.asset_dropped_id]).filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await access
    .selectUnseen("assets")
    .leftJoin("asset_types", (join) =>
      join
        .onRef("asset_types.tenant_id", "=", "assets.tenant_id")
        .onRef("asset_types.id", "=", "assets.asset_type_id"),
    )
    .where("assets.id", "in", ids)
    .select(["assets.id", "assets.number", "assets.description", "asset_types.name as type_name"])
    .execute();
  return new Map(
    rows.map(({ id, number, description, type_name }) => {
      const label = [type_name, number ?? description].filter((part) => part).join(" ");
      return [id, label || `asset ${id}`];
    }),
  );
}

/** The jobs that the driver of a truck still has to do. */
function openOf(access: TenantAccess, truckId: number) {
  return keepWithout(access.select("jobs").where("truck_id", "=", truckId), flagsOffTheRoad);
}

/** All jobs of a truck that are not deleted. */
function keptOf(access: TenantAccess, truckId: number) {
  return access.select("jobs").where("truck_id", "=", truckId).where("is_deleted", "=", false);
}

/** What a job's own fields are read from. */
const ownColumns = ["id", "location_id", "created_by", "record"] as const;

/** What changes jobs. It gives what was written, so that nobody has to read it back. */
function jobWrites(access: TenantAccess, changes: ChangeStamp) {
  return {
    async insert(job: JobFields, metadata: JobMetadata): Promise<StoredJobRow> {
      const row = toJobRow(job);
      const changed_on = metadata.changed_on ?? (await changes.at(metadata.created_on));
      const [inserted] = await access.run(insertJob, { pickup_of: null, ...row, ...metadata, changed_on });
      const made = { ...job, id: onlyOne([inserted]).id };
      return { job: made, row: { ...row, ...noParts, id: made.id } };
    },

    /** Puts a job's fields in place of those that it had, and counts the parts that it has now. */
    async update(
      job: Job,
      metadata: ChangingJobMetadata,
      counts: PartCounts,
      now: Timestamp,
    ): Promise<StoredJobRow> {
      const { image_count, material_count, return_count } = counts;
      const row = { ...toJobRow(job), image_count, material_count, return_count };
      const changed_on = await changes.at(now);
      await access.run(updateJob, { id: job.id, ...row, ...metadata, changed_on });
      return { job, row: { ...row, id: job.id } };
    },
  };
}

const noParts = { image_count: 0, material_count: 0, return_count: 0 };

function onlyOne<T>([one]: readonly T[]): NonNullable<T> {
  if (one === undefined || one === null) throw new Error("The job was written and is not there.");
  return one;
}

type JobRow = ReturnType<typeof toJobRow>;

const insertJob = defineStatement(
  (
    { insert }: TenantQueries,
    row: ParametersOf<JobRow & Required<Omit<JobMetadata, "pickup_of">> & { pickup_of: number | null }>,
  ) => insert("jobs", row).returning("id"),
);

const updateJob = defineStatement(
  (
    { update }: TenantQueries,
    { id, ...row }: ParametersOf<JobRow & ChangingJobMetadata & PartCounts & { changed_on: Timestamp }>,
  ) => update("jobs").set(row).where("id", "=", id),
);

interface Id {
  id: Parameter<number>;
}

interface Place extends Id {
  locationId: Parameter<number>;
}

const findKept = defineStatement(
  ({ lockForChange, select }: TenantQueries, { locationId, id }: Place, purpose: "change" | "read") => {
    const found = select("jobs")
      .where("location_id", "=", locationId)
      .where("id", "=", id)
      .select(["completed_by_driver", "returned_by", "returned_by_driver"])
      .select(shownColumns);
    return purpose === "change" ? lockForChange(found) : found;
  },
);

type KeptRow = ShownRow &
  Pick<Selectable<Database["jobs"]>, "completed_by_driver" | "returned_by" | "returned_by_driver">;

function toKeptJob([found]: readonly KeptRow[]): KeptJob | undefined {
  if (!found) return undefined;
  const { completed_by_driver, returned_by, returned_by_driver, ...row } = found;
  const metadata = {
    completed_by_driver: Boolean(completed_by_driver),
    returned_by,
    returned_by_driver: Boolean(returned_by_driver),
  };
  return { job: toJob(row), metadata, row };
}

const findShown = defineStatement(({ select }: TenantQueries, { locationId, id }: Place) =>
  select("jobs").where("location_id", "=", locationId).where("id", "=", id).select(shownColumns),
);

const findSeen = defineStatement(({ select }: TenantQueries, { id }: Id) =>
  select("jobs").where("id", "=", id).select("id"),
);

const findPlace = defineStatement(({ select }: TenantQueries, { id }: Id) =>
  select("jobs").where("id", "=", id).select(["id", "schedule_key", "urgency"]),
);

const findPickup = defineStatement(({ selectUnseen }: TenantQueries, { id }: Id) =>
  selectUnseen("jobs").where("pickup_of", "=", id).select("id"),
);
