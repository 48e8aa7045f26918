import type { Context } from "../../core/context.ts";
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

/** Undo uses the operations that users call. */
export interface Undoable {
  noun: string;
  /** Decides who sees the record and where it is. Absent: only Admins and the author of a change may undo it. */
  table?: ReferencedTable;
  idParam: string;
  update?: Operation;
  /** The fields that `update` sets to retire a new record. */
  retire?: Readonly<Record<string, boolean>>;
  remove?: Operation;
}

/** Customers are not here: their parts need undo-customer.ts. */
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

export const nounOf = (type: RecordType) =>
  undoable[type]?.noun ?? type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

export interface UndoCall {
  /** The roles of this operation may undo the change. */
  operation: Operation;
  run(context: Context): Promise<unknown>;
}

export function toOperationCall(
  operation: Operation,
  params: Readonly<Record<string, number>>,
  body: Readonly<Record<string, unknown>> | null,
): UndoCall {
  return { operation, run: (context) => operation.run(context, { body, params, query: {} }) };
}

export function toSettable({ body }: Operation, before: Readonly<Record<string, unknown>>) {
  const names = Object.keys(before).filter((name) => name !== "last_updated_on" && body?.shape[name]);
  return Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
}
