import { type Selectable, type SqlBool, sql } from "kysely";
import type { AssetFilters } from "../../models/asset.ts";
import type { SentAddress } from "../../models/location-address.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { Database, NumberedTable } from "../schema/database.ts";
import { type Conditions, filterRows } from "./filters.ts";
import { type Matching, readPage } from "./pages.ts";
import { type RecordForm, recordQueries } from "./records.ts";

type LocationOwnedTable = {
  [T in NumberedTable]: Database[T] extends { location_id: number } ? T : never;
}[NumberedTable];

export function locationRecordQueries<T extends LocationOwnedTable, R extends { id: number }>(
  access: TenantAccess,
  table: T,
  form: RecordForm<T, R>,
) {
  const { page, insert, update } = recordQueries(access, table, form);
  // As in access.ts: `table` is a type parameter, so the calls use one of the tables.
  const at = (locationId: number) => access.select(table as "trucks").where("location_id", "=", locationId);
  const typed = (rows: Matching<"trucks">) => rows as unknown as Matching<T>;
  /** In the order of an index: location, then id. */
  const pageOfAll = async (paging: Paging) => {
    const all = access.select(table as "trucks");
    const isSeen = access.select("locations").select("id");
    const seen = access.coversTenant ? all : all.where("location_id", "in", isSeen);
    const behind = keepBehind(seen, paging.after);
    const show = (rows: typeof behind) => rows.selectAll().orderBy("location_id").orderBy("id");
    const page = await readPage(access, seen, paging, show, { behind });
    const rows = page.rows.map((row) => form.toRecord(row as unknown as Selectable<Database[T]>));
    return { ...page, rows };
  };
  return {
    insert,
    update,
    async find(locationId: number, id: number): Promise<R | undefined> {
      const [row] = await access.run(findRecord, { id, locationId }, table as "trucks");
      return row && form.toRecord(row as unknown as Selectable<Database[T]>);
    },
    /** null lists all locations that the caller sees. */
    page: (
      locationId: number | null,
      paging: Paging,
      narrow: (rows: Matching<T>) => Matching<T> = (rows) => rows,
    ): Promise<Page<R>> =>
      locationId === null ? pageOfAll(paging) : page(narrow(typed(at(locationId))), paging),
  };
}

function keepBehind(rows: Matching<"trucks">, after: Paging["after"]): Matching<"trucks"> {
  if (typeof after !== "object" || after === null || !("location_id" in after)) return rows;
  return rows.where(sql<SqlBool>`(location_id, id) > (${after.location_id}, ${after.id})`);
}

interface RecordIds {
  id: Parameter<number>;
  locationId: Parameter<number>;
}

const findRecord = defineStatement(
  ({ select }: TenantQueries, { id, locationId }: RecordIds, table: "trucks") =>
    select(table).where("location_id", "=", locationId).where("id", "=", id).selectAll(),
);

export type AssetType = ReturnType<typeof toAssetType>;

export function assetTypeQueries(access: TenantAccess) {
  return {
    ...locationRecordQueries(access, "asset_types", { toRecord: toAssetType }),
    async defaultsAt(locationId: number): Promise<AssetType[]> {
      const rows = await access
        .select("asset_types")
        .where("location_id", "=", locationId)
        .where("is_default", "=", true)
        .selectAll()
        .orderBy("id")
        .execute();
      return rows.map(toAssetType);
    },
  };
}

export function toAssetType({ tenant_id: _, ...row }: Selectable<Database["asset_types"]>) {
  return {
    ...row,
    deleted: Boolean(row.deleted),
    is_default: Boolean(row.is_default),
    require_numbers: Boolean(row.require_numbers),
  };
}

/** `location` is stored as sent. */
export type Asset = ReturnType<typeof toAsset>;

/** The type may be deleted. */
export type TypedAsset = Asset & { asset_type: AssetType | null };

export function assetQueries(access: TenantAccess) {
  const queries = locationRecordQueries(access, "assets", { toRecord: toAsset, toRow: toAssetRow });
  const loadTypes = async (ids: readonly number[]): Promise<Map<number | null, AssetType>> => {
    if (ids.length === 0) return new Map();
    const rows = await access.selectUnseen("asset_types").where("id", "in", ids).selectAll().execute();
    return new Map(rows.map((row) => [row.id, toAssetType(row)]));
  };
  const withTypes = async (assets: readonly Asset[]): Promise<TypedAsset[]> => {
    const named = new Set(assets.map((asset) => asset.asset_type_id));
    const types = await loadTypes([...named].filter((id) => id !== null));
    return assets.map((asset) => toTyped(asset, types));
  };
  return {
    ...queries,
    pageOf: (locationId: number, filters: AssetFilters, paging: Paging): Promise<Page<Asset>> =>
      queries.page(locationId, paging, (rows) => filterRows(access, rows, filters, assetConditions)),
    withTypes,
    withType: async (asset: Asset): Promise<TypedAsset> =>
      toTyped(asset, await loadTypes(asset.asset_type_id === null ? [] : [asset.asset_type_id])),
  };
}

const assetConditions: Conditions<"assets", AssetFilters> = {
  asset_type_id: (assets, value) => assets.where("asset_type_id", "=", value),
  customer_id: (assets, value) => assets.where("customer_id", "=", value),
  is_returned: (assets, value) => assets.where("is_returned", "=", value),
};

function toTyped(asset: Asset, types: ReadonlyMap<number | null, AssetType>): TypedAsset {
  return { ...asset, asset_type: types.get(asset.asset_type_id) ?? null };
}

export function toAsset({ tenant_id: _, ...row }: Selectable<Database["assets"]>) {
  return {
    ...row,
    is_returned: Boolean(row.is_returned),
    location: row.location === null ? null : (JSON.parse(row.location) as SentAddress),
  };
}

function toAssetRow({ location, ...fields }: Partial<Asset>) {
  if (location === undefined) return fields;
  return { ...fields, location: location === null ? null : JSON.stringify(location) };
}

/** Operations decide who sees can_assign_to and can_dispatch_to. */
export type Driver = ReturnType<typeof toDriver>;

export function driverQueries(access: TenantAccess) {
  return locationRecordQueries(access, "drivers", { toRecord: toDriver, toRow: toDriverRow });
}

function toDriver({ tenant_id: _, ...row }: Selectable<Database["drivers"]>) {
  return {
    ...row,
    can_assign_to: JSON.parse(row.can_assign_to) as number[],
    can_convert_to_group: Boolean(row.can_convert_to_group),
    can_create_requests: Boolean(row.can_create_requests),
    can_dispatch_to: JSON.parse(row.can_dispatch_to) as number[],
    can_edit_requests: Boolean(row.can_edit_requests),
    can_reposition_asset: Boolean(row.can_reposition_asset),
    disable_shift_tracking: Boolean(row.disable_shift_tracking),
    is_deactivated: Boolean(row.is_deactivated),
  };
}

function toDriverRow({ can_assign_to, can_dispatch_to, ...fields }: Partial<Driver>) {
  return {
    ...fields,
    ...(can_assign_to && { can_assign_to: JSON.stringify(can_assign_to) }),
    ...(can_dispatch_to && { can_dispatch_to: JSON.stringify(can_dispatch_to) }),
  };
}

/** A removed destination stays in the table, because jobs refer to it. */
export function dumpDestinationQueries(access: TenantAccess) {
  const queries = locationRecordQueries(access, "dump_destinations", { toRecord: toDumpDestination });
  return {
    ...queries,
    pageActive: (locationId: number, paging: Paging) =>
      queries.page(locationId, paging, (rows) => rows.where("is_active", "=", true)),
  };
}

export function toDumpDestination({ tenant_id: _, ...row }: Selectable<Database["dump_destinations"]>) {
  return {
    ...row,
    is_active: Boolean(row.is_active),
    is_holding_yard: Boolean(row.is_holding_yard),
  };
}

export function materialQueries(access: TenantAccess) {
  return locationRecordQueries(access, "materials", { toRecord: toMaterial });
}

function toMaterial({ tenant_id: _, ...row }: Selectable<Database["materials"]>) {
  return row;
}

export type Truck = ReturnType<typeof toTruck>;

export function truckQueries(access: TenantAccess) {
  return {
    ...locationRecordQueries(access, "trucks", { toRecord: toTruck }),
    async countAll(): Promise<number> {
      return access.count(access.selectUnseen("trucks"), Number.MAX_SAFE_INTEGER);
    },
    async driverName(driverId: number): Promise<string | undefined> {
      const row = await access
        .selectUnseen("drivers")
        .where("id", "=", driverId)
        .select("name")
        .executeTakeFirst();
      return row?.name;
    },
  };
}

function toTruck({ tenant_id: _, ...row }: Selectable<Database["trucks"]>) {
  return {
    ...row,
    out_of_service: Boolean(row.out_of_service),
    require_odometer: Boolean(row.require_odometer),
  };
}
