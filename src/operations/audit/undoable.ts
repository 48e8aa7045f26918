import type { Operation } from "../../core/operation.ts";
import type { RecordType } from "../../models/record-types.ts";
import type { ReferencedTable } from "../../store/queries/references.ts";
import { updateAssetType } from "../asset-types.ts";
import { updateAsset } from "../assets.ts";
import { updateCustomer } from "../customers.ts";
import { updateDriver } from "../drivers.ts";
import { updateDumpDestination } from "../dump-destinations.ts";
import { deleteHook, updateHook } from "../hooks/change-hook.ts";
import { updateJob } from "../jobs/update-job.ts";
import { updateLocation } from "../locations.ts";
import { revokeToken } from "../tokens.ts";
import { updateTruck } from "../trucks.ts";
import { updateUser } from "../users.ts";

/** How changes of a kind of record are taken back: by the operations that anybody would make them with. */
export interface Undoable {
  /** What one is called. */
  noun: string;
  /** Where it is kept, which tells whether the caller sees it and at which location it is; absent: only Admins and its maker. */
  table?: ReferencedTable;
  /** The path parameter that holds its id. */
  idParam: string;
  /** Gives fields their former values. */
  update?: Operation;
  /** What `update` sets to put a new one out of use. */
  retire?: Readonly<Record<string, boolean>>;
  /** Takes a new one away. */
  remove?: Operation;
}

/** The kinds whose changes can be taken back. Those of customers, which have parts, are in undo-customer.ts. */
export const undoable: Partial<Record<RecordType, Undoable>> = {
  Asset: { noun: "asset", table: "assets", idParam: "asset_id", update: updateAsset },
  AssetType: {
    noun: "asset type",
    table: "asset_types",
    idParam: "asset_type_id",
    update: updateAssetType,
    retire: { deleted: true },
  },
  Customer: { noun: "customer", table: "customers", idParam: "customer_id", update: updateCustomer },
  CustomerLocation: { noun: "customer", table: "customers", idParam: "customer_id" },
  Driver: {
    noun: "driver",
    table: "drivers",
    idParam: "driver_id",
    update: updateDriver,
    retire: { is_deactivated: true },
  },
  DumpDestination: {
    noun: "dump destination",
    table: "dump_destinations",
    idParam: "dump_destination_id",
    update: updateDumpDestination,
    retire: { is_active: false },
  },
  Job: { noun: "job", table: "jobs", idParam: "job_id", update: updateJob, retire: { is_deleted: true } },
  Location: {
    noun: "location",
    table: "locations",
    idParam: "location_id",
    update: updateLocation,
    retire: { is_active: false },
  },
  Token: { noun: "token", idParam: "token_id", remove: revokeToken },
  Truck: {
    noun: "truck",
    table: "trucks",
    idParam: "truck_id",
    update: updateTruck,
    retire: { out_of_service: true },
  },
  User: {
    noun: "user",
    table: "users",
    idParam: "user_id",
    update: updateUser,
    retire: { is_active: false },
  },
  Webhook: { noun: "webhook", idParam: "hook_id", update: updateHook, remove: deleteHook },
};

/** What a record of a kind is called, whether its changes can be taken back or not. */
export const nounOf = (type: RecordType) =>
  undoable[type]?.noun ?? type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
