import type { Client } from "../../../client/client.ts";
import { DispatchError } from "../../../errors/errors.ts";
import { toSum } from "../../output/write-workbook.ts";
import type { CompletedJob } from "./read-completed-jobs.ts";

type DrivenJob = Pick<CompletedJob, "completed_by" | "location_id" | "truck_id">;
type LoadedJob = Pick<CompletedJob, "location_id" | "materials">;

/** The driver that completed the job, else the current driver of its truck. */
export async function readDrivers(
  client: Client,
  jobs: readonly DrivenJob[],
): Promise<(job: DrivenJob) => string | null> {
  if (jobs.length === 0) return () => null;
  const query = { page_limit: 1000 };
  const drivers = new Map<number, string>();
  for (const { id, name } of await orNone(client.pages("drivers.all", { query }))) drivers.set(id, name);
  const onTruck = new Map<number, number | null>();
  for (const { driver_id, id } of await orNone(client.pages("trucks.all", { query })))
    onTruck.set(id, driver_id);
  // A driver who signs in completes jobs under the ID of its user.
  const ofUser = new Map<number, number | null>();
  for (const location_id of new Set(jobs.map((job) => job.location_id))) {
    const users = client.pages("users.list", { params: { location_id }, query });
    for (const { driver_id, id } of await orNone(users)) ofUser.set(id, driver_id);
  }
  return ({ completed_by, truck_id }) => {
    const completedBy = completed_by ?? 0;
    const own = drivers.get(completedBy) ?? drivers.get(ofUser.get(completedBy) ?? 0);
    return own ?? drivers.get(onTruck.get(truck_id ?? 0) ?? 0) ?? null;
  };
}

export interface Load {
  name: string;
  text: string;
  /** Net: the heavy weight without the light one or the container; null if a weight is missing. */
  weight: number | null;
}

interface Material {
  name: string | null;
  unit: string | null;
}

type MaterialOf = (id: number | null) => Material | undefined;

export async function readMaterials(client: Client, jobs: readonly LoadedJob[]): Promise<MaterialOf> {
  const used = jobs.filter(({ materials }) => materials.some(({ material_item_id: id }) => id !== null));
  const known = new Map<number, Material>();
  for (const location_id of new Set(used.map((job) => job.location_id))) {
    const listed = client.pages("materials.list", { params: { location_id }, query: { page_limit: 1000 } });
    for (const { description, id, uom } of await orNone(listed))
      known.set(id, { name: description, unit: uom });
  }
  return (id) => (id === null ? undefined : known.get(id));
}

export function toLoads({ materials }: Pick<LoadedJob, "materials">, materialOf: MaterialOf): Load[] {
  return materials.map(
    ({ heavy_weight, light_weight, material_item_id: id, material_name, quantity, tare_weight }) => {
      const material = materialOf(id);
      const empty = light_weight ?? tare_weight;
      const weight = heavy_weight === null || empty === null ? null : toSum([heavy_weight, -empty]);
      const name = material_name ?? material?.name ?? (id === null ? "material" : `material ${id}`);
      const amount = quantity === null ? null : [quantity, material?.unit].filter(Boolean).join(" ");
      return {
        name,
        text: [[name, weight].filter((part) => part !== null).join(" "), amount].filter(Boolean).join(", "),
        weight,
      };
    },
  );
}

/** Returns nothing if the caller's role does not allow the list. */
async function orNone<T>(listed: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  try {
    for await (const record of listed) records.push(record);
  } catch (error) {
    if (!(error instanceof DispatchError && error.code === "role_not_allowed")) throw error;
  }
  return records;
}
