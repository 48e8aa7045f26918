import { type Insertable, type Kysely, sql } from "kysely";
import type { JobProof } from "../../models/job-requirements.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ListParameter } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";

type New<T extends "job_images" | "job_items" | "job_materials" | "job_returns"> = Omit<
  Insertable<Database[T]>,
  "id" | "tenant_id"
>;

export type NewJobImage = New<"job_images">;
export type NewJobItem = New<"job_items">;
export type NewJobMaterial = New<"job_materials">;

export function jobPartQueries(access: TenantAccess) {
  return {
    async addImage(image: NewJobImage): Promise<number> {
      return (await access.insert("job_images", image).returning("id").executeTakeFirstOrThrow()).id;
    },
    async addItem(item: NewJobItem): Promise<number> {
      return (await access.insert("job_items", item).returning("id").executeTakeFirstOrThrow()).id;
    },
    async addMaterial(material: NewJobMaterial): Promise<number> {
      return (await access.insert("job_materials", material).returning("id").executeTakeFirstOrThrow()).id;
    },
    async addReturn(returned: New<"job_returns">): Promise<void> {
      await access.insert("job_returns", returned).execute();
    },
    async removeReturn(jobId: number, createdOn: Timestamp): Promise<number> {
      const { numDeletedRows } = await access
        .delete("job_returns")
        .where("job_id", "=", jobId)
        .where("created_on", "=", createdOn)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    async proofOf(jobId: number): Promise<JobProof> {
      const images = await access
        .selectUnseen("job_images")
        .where("job_id", "=", jobId)
        .select("description")
        .execute();
      const items = await access
        .selectUnseen("job_items")
        .where("job_id", "=", jobId)
        .select("heavy_weight")
        .execute();
      const materials = await access
        .selectUnseen("job_materials")
        .where("job_id", "=", jobId)
        .select(["heavy_weight", "light_weight", "material_item_id", "material_name", "tare_weight"])
        .execute();
      return { images, items, materials };
    },
  };
}

export interface PartCounts {
  id: number;
  image_count: number;
  material_count: number;
  return_count: number;
}

/** Oldest first. Loads only the kinds that a job has by its counts. */
export async function loadJobParts(access: TenantAccess, jobs: readonly PartCounts[]) {
  const having = (column: Exclude<keyof PartCounts, "id">) =>
    jobs.filter((job) => job[column] > 0).map(({ id }) => id);
  const [images, materials, returns] = await Promise.all([
    loadImages(access, having("image_count")),
    loadMaterials(access, having("material_count")),
    loadReturns(access, having("return_count")),
  ]);
  return { images, materials, returns };
}

async function loadImages(access: TenantAccess, ids: readonly number[]) {
  return ids.length === 0 ? new Map<number, never>() : groupByJob(await access.run(findImages, { ids }));
}

async function loadMaterials(access: TenantAccess, ids: readonly number[]) {
  return ids.length === 0 ? new Map<number, never>() : groupByJob(await access.run(findMaterials, { ids }));
}

async function loadReturns(access: TenantAccess, ids: readonly number[]) {
  return ids.length === 0 ? new Map<number, never>() : groupByJob(await access.run(findReturns, { ids }));
}

function groupByJob<T extends { job_id: number }>(rows: readonly T[]): Map<number, Omit<T, "job_id">[]> {
  const groups = new Map<number, Omit<T, "job_id">[]>();
  for (const { job_id, ...part } of rows) {
    const group = groups.get(job_id) ?? [];
    group.push(part);
    groups.set(job_id, group);
  }
  return groups;
}

interface JobIds {
  ids: ListParameter<number>;
}

const findImages = defineStatement(({ selectUnseen }: TenantQueries, { ids }: JobIds) =>
  selectUnseen("job_images")
    .where("job_id", ...ids)
    .select(["created_by", "created_on", "description", "id", "job_id", "url"])
    .orderBy("id"),
);

const findMaterials = defineStatement(({ selectUnseen }: TenantQueries, { ids }: JobIds) =>
  selectUnseen("job_materials")
    .where("job_id", ...ids)
    .select(["heavy_weight", "job_id", "light_weight", "material_item_id", "material_name"])
    .select(["quantity", "tare_weight"])
    .orderBy("id"),
);

const findReturns = defineStatement(({ selectUnseen }: TenantQueries, { ids }: JobIds) =>
  selectUnseen("job_returns")
    .where("job_id", ...ids)
    .select(["asset_id", "created_on", "id", "job_id", "note"])
    .orderBy("id"),
);

const parts = [
  ["image_count", "job_images"],
  ["material_count", "job_materials"],
  ["return_count", "job_returns"],
] as const;

const toCounted = (table: string) =>
  `(select count(*) from ${table} where ${table}.tenant_id = jobs.tenant_id and ${table}.job_id = jobs.id)`;

const isWrong = parts.map(([column, table]) => `${column} <> ${toCounted(table)}`).join(" or ");

export const recountParts = `update jobs set ${parts
  .map(([column, table]) => `${column} = ${toCounted(table)}`)
  .join(", ")} where ${isWrong}`;

/** Locks jobs for `recountParts` on PostgreSQL, so that concurrent changes count themselves. */
export const lockWrongParts = `select id from jobs where ${isWrong} order by id for update`;

export async function countWrongParts(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{
    wrong: number | string;
  }>`select count(*) as wrong from jobs where ${sql.raw(isWrong)}`.execute(db);
  return Number(rows[0]?.wrong ?? 0);
}
