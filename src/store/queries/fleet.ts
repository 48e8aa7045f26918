import type { Insertable } from "kysely";
import type { TenantAccess } from "../access.ts";
import type { Database } from "../database.ts";

type New<T extends "asset_types" | "assets" | "drivers" | "dump_destinations"> = Omit<
  Insertable<Database[T]>,
  "id" | "tenant_id"
>;

export type NewAsset = Omit<New<"assets">, "location"> & {
  /** Where it stands, a LocationAddressModel. */
  location?: object | null;
};

/** Drivers, assets and the places they haul to. Inserts give the new record's id. */
export function fleetQueries(access: TenantAccess) {
  return {
    async insertAsset({ location, ...asset }: NewAsset): Promise<number> {
      const row = { ...asset, location: toText(location) };
      return (await access.insert("assets", row).returning("id").executeTakeFirstOrThrow()).id;
    },
    async updateAsset(id: number, { location, ...changed }: Partial<NewAsset>): Promise<void> {
      const row = location === undefined ? changed : { ...changed, location: toText(location) };
      await access.update("assets").set(row).where("id", "=", id).execute();
    },
    async insertAssetType(type: New<"asset_types">): Promise<number> {
      return (await access.insert("asset_types", type).returning("id").executeTakeFirstOrThrow()).id;
    },
    async insertDriver(driver: New<"drivers">): Promise<number> {
      return (await access.insert("drivers", driver).returning("id").executeTakeFirstOrThrow()).id;
    },
    async insertDumpDestination(destination: New<"dump_destinations">): Promise<number> {
      const inserted = access.insert("dump_destinations", destination).returning("id");
      return (await inserted.executeTakeFirstOrThrow()).id;
    },
  };
}

const toText = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);
