import type { Selectable } from "kysely";
import type { JobAssetModel } from "../../models/asset.ts";
import type { JobModel, jobComputedFields } from "../../models/job.ts";
import { toWholeAddress } from "../../models/location-address.ts";
import type { ModelFields } from "../../models/model-value.ts";
import { StoredRecord } from "../../models/stored-record.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ListParameter } from "../access/compiled.ts";
import { type Address, type Customer, toAddress } from "../schema/customer.ts";
import type { Database } from "../schema/database.ts";
import { loadJobParts } from "./job-parts.ts";
import { jobLayout } from "./job-record.ts";
import { hideUnseenLocations, loadWholeCustomers } from "./load-customers.ts";
import { type LocationCustomer, toLocationCustomer } from "./location-customer.ts";
import { type AssetType, toAsset, toAssetType, toDumpDestination } from "./location-records.ts";

export const shownColumns = [
  "jobs.address_id",
  "jobs.asset_dropped_id",
  "jobs.asset_id",
  "jobs.asset_type_id",
  "jobs.created_by",
  "jobs.customer_id",
  "jobs.dump_location_id",
  "jobs.final_location_id",
  "jobs.id",
  "jobs.image_count",
  "jobs.location_id",
  "jobs.material_count",
  "jobs.record",
  "jobs.return_count",
  "jobs.start_location_id",
] as const;

export type ShownRow = Pick<Selectable<Database["jobs"]>, NameOf<(typeof shownColumns)[number]>>;

type NameOf<Column> = Column extends `jobs.${infer Name extends keyof Database["jobs"]}` ? Name : never;

export type StoredJob = StoredRecord<typeof JobModel>;

/** "seen" embeds records that the caller may see, "whole" all, for events. */
type Sight = "seen" | "whole";

export async function loadEmbedded(
  access: TenantAccess,
  jobs: readonly ShownRow[],
  sight: Sight = "seen",
): Promise<StoredJob[]> {
  const assetIds = distinct(jobs.flatMap((job) => [job.asset_id, job.asset_dropped_id]));
  const dumpIds = jobs.flatMap((job) => [job.dump_location_id, job.final_location_id, job.start_location_id]);
  // Together, so that PostgreSQL takes one round trip instead of six.
  const [customers, assets, assetTypes, dumps, parts] = await Promise.all([
    loadShownCustomers(access, distinct(jobs.map((job) => job.customer_id)), sight),
    loadAssets(access, assetIds, sight),
    loadAssetTypes(access, distinct(jobs.map((job) => job.asset_type_id))),
    loadDumpDestinations(access, distinct(dumpIds)),
    loadJobParts(access, jobs),
  ]);
  const removed = await loadRemovedAddresses(access, jobs, customers);
  return jobs.map((job) => {
    const computed: ModelFields<typeof jobComputedFields> = {
      asset: assets.get(job.asset_id) ?? null,
      asset_type: assetTypes.get(job.asset_type_id) ?? null,
      created_by: job.created_by,
      customer: withAddress(
        toLocationCustomer(customers.get(job.customer_id), job.location_id),
        removed.get(job.address_id),
      ),
      dropped_asset: assets.get(job.asset_dropped_id) ?? null,
      dump_location: dumps.get(job.dump_location_id) ?? null,
      final_location: dumps.get(job.final_location_id) ?? null,
      id: job.id,
      images: parts.images.get(job.id) ?? [],
      location_id: job.location_id,
      materials: parts.materials.get(job.id) ?? [],
      return_full: parts.returns.get(job.id) ?? [],
      start_location: dumps.get(job.start_location_id) ?? null,
    };
    return new StoredRecord(jobLayout, job.record, computed);
  });
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids)].filter((id) => id !== null);
}

/** Frozen: the serializer writes a record that many jobs embed only once. */
type ById<T> = ReadonlyMap<number | null, Readonly<T>>;

async function loadShownCustomers(access: TenantAccess, ids: readonly number[], sight: Sight) {
  const customers = await access.embeds.recall("customer", ids, (missing) =>
    loadWholeCustomers(access, missing),
  );
  return sight === "whole" ? customers : hideUnseenLocations(access, customers);
}

async function loadRemovedAddresses(
  access: TenantAccess,
  jobs: readonly ShownRow[],
  customers: ReadonlyMap<number, Customer>,
): Promise<ReadonlyMap<number, Address>> {
  const isKept = ({ address_id, customer_id }: ShownRow) =>
    customers.get(customer_id)?.addresses.some(({ id }) => id === address_id) ?? true;
  const ids = distinct(jobs.filter((job) => !isKept(job)).map((job) => job.address_id));
  if (ids.length === 0) return new Map();
  const rows = await access.run(findAddresses, { ids });
  return new Map(rows.map((row) => [row.id, toAddress(row)]));
}

/** A job keeps its address after the customer removed it. */
function withAddress(customer: LocationCustomer | null, removed: Address | undefined) {
  return customer && removed ? { ...customer, addresses: [...customer.addresses, removed] } : customer;
}

type JobAsset = ModelFields<(typeof JobAssetModel)["shape"]>;

async function loadAssets(
  access: TenantAccess,
  ids: readonly number[],
  sight: Sight,
): Promise<ById<JobAsset>> {
  const assets = await access.embeds.recall<JobAsset>("asset", ids, async (missing) => {
    const rows = await access.run(findAssets, { ids: missing });
    const types = await loadAssetTypes(access, distinct(rows.map((row) => row.asset_type_id)));
    return new Map(
      rows.map((row) => {
        const { location, ...asset } = toAsset(row);
        const asset_type = types.get(row.asset_type_id) ?? null;
        return [row.id, Object.freeze({ ...asset, asset_type, location: toWholeAddress(location) })];
      }),
    );
  });
  return sight === "whole" ? assets : hideUnseen(access, assets);
}

/** The job still shows a hidden asset, but not its current place. */
async function hideUnseen(
  access: TenantAccess,
  assets: ReadonlyMap<number, Readonly<JobAsset>>,
): Promise<ById<JobAsset>> {
  if (access.coversTenant || assets.size === 0) return assets;
  const rows = await access.run(findSeenAssets, { ids: [...assets.keys()] });
  const seen = new Set(rows.map(({ id }) => id));
  return new Map(
    [...assets].map(([id, asset]) => [id, seen.has(id) ? asset : Object.freeze({ ...asset, ...nowhere })]),
  );
}

const nowhere = {
  cluster: null,
  customer_id: null,
  dispatched_on: null,
  last_activity_on: null,
  last_rental_invoice_on: null,
  latitude: null,
  location: null,
  longitude: null,
  returned_on: null,
};

function loadAssetTypes(access: TenantAccess, ids: readonly number[]): Promise<ById<AssetType>> {
  return access.embeds.recall("asset_type", ids, async (missing) => {
    const rows = await access.run(findAssetTypes, { ids: missing });
    return new Map(rows.map((row) => [row.id, Object.freeze(toAssetType(row))]));
  });
}

function loadDumpDestinations(
  access: TenantAccess,
  ids: readonly number[],
): Promise<ById<ReturnType<typeof toDumpDestination>>> {
  return access.embeds.recall("dump_destination", ids, async (missing) => {
    const rows = await access.run(findDumpDestinations, { ids: missing });
    return new Map(rows.map((row) => [row.id, Object.freeze(toDumpDestination(row))]));
  });
}

interface Ids {
  ids: ListParameter<number>;
}

const findAddresses = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("addresses")
    .where("id", ...ids)
    .selectAll(),
);

const findAssets = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("assets")
    .where("id", ...ids)
    .selectAll(),
);

const findSeenAssets = defineStatement(({ select }: TenantQueries, { ids }: Ids) =>
  select("assets")
    .where("id", ...ids)
    .select("id"),
);

const findAssetTypes = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("asset_types")
    .where("id", ...ids)
    .selectAll(),
);

const findDumpDestinations = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("dump_destinations")
    .where("id", ...ids)
    .selectAll(),
);
