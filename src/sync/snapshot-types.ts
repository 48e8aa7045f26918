import type { OperationName } from "../operations/index.ts";
import type { JsonObject } from "../versions/change.ts";
import { toCustomerCreation } from "./customer-creation.ts";
import { toJobCreation, toJobPatch } from "./job-moves.ts";
import type { Body, SnapshotRecord } from "./snapshot-record.ts";

/** What numbers count: each kind of record that others point to has numbers of its own. */
export type NumberedKind =
  | "Address"
  | "Asset"
  | "AssetType"
  | "Customer"
  | "Driver"
  | "DumpDestination"
  | "Job"
  | "Location"
  | "Material"
  | "Truck";

/** Fields by which a record is found again in another tenant. */
interface MatchKey {
  fields: readonly string[];
  /** It counts only for records that are the only ones to have it, here and there. By default like ones pair in order. */
  isUnique?: true;
}

/** How a kind of record is made, changed and found again. */
interface RecordKind {
  create: OperationName;
  /** null: what is there once cannot be changed. */
  update: OperationName | null;
  /** The parameter of `update` that names the record; null when it has no id of its own. */
  idParam: string | null;
  /** Fields that stand in the path of its operations, not in their bodies. */
  pathFields?: readonly string[];
  /** Fields that hold numbers of other records. */
  references: Readonly<Record<string, NumberedKind>>;
  /** Tried one after the other. */
  keys: readonly MatchKey[];
  /** Values that let nothing new point to the record: given to it only when everything else is there. */
  late?: Readonly<Record<string, boolean>>;
  /** Fields that say who and when, of this tenant only. */
  leftOut?: readonly string[];
}

/** A list inside of a record whose entries have operations of their own. */
export interface SnapshotPart extends RecordKind {
  field: string;
  /** Parameters of its operations that are named otherwise than the entry's field they hold. */
  pathParams?: Readonly<Record<string, string>>;
  /** Set when others point to its entries. */
  type?: NumberedKind;
  /** The operation that takes an entry away by making it inactive, for good. */
  removal?: OperationName;
}

/** A kind of record that a snapshot holds. */
export interface SnapshotType extends RecordKind {
  type: Exclude<NumberedKind, "Address">;
  noun: string;
  list: OperationName;
  /** Where the list does not show the whole record. */
  get?: OperationName;
  idParam: string;
  /** By default all that create and update take. */
  fields?: readonly string[];
  parts?: readonly SnapshotPart[];
  /** What creates it, where that is more than its own fields. */
  toCreation?(record: SnapshotRecord): { params: Body; body: Body };
  /** The record as it is then, where the answer has another form than the list's. */
  fromCreation?(answer: JsonObject): JsonObject;
  /** A PATCH that the record's life allows, where that is more than what differs. */
  toPatch?(body: Body, wanted: SnapshotRecord, actual: SnapshotRecord): Body;
}

const atLocation = { location_id: "Location" } as const;
const pathFields = ["location_id"] as const;

/** What a snapshot holds of a tenant, in an order in which what is pointed to comes first. */
export const snapshotTypes: readonly SnapshotType[] = [
  {
    type: "Location",
    noun: "locations",
    list: "locations.list",
    create: "locations.create",
    update: "locations.update",
    idParam: "location_id",
    references: {},
    keys: [{ fields: ["name"] }],
  },
  {
    type: "AssetType",
    noun: "asset-types",
    list: "asset-types.list",
    create: "asset-types.create",
    update: "asset-types.update",
    idParam: "asset_type_id",
    pathFields,
    references: atLocation,
    keys: [{ fields: ["name"] }],
    late: { deleted: true },
  },
  {
    type: "Material",
    noun: "materials",
    list: "materials.list",
    create: "materials.create",
    update: null,
    idParam: "material_id",
    pathFields,
    references: atLocation,
    keys: [{ fields: ["description", "group_description", "line_item_id", "uom"] }],
  },
  {
    type: "DumpDestination",
    noun: "dump-destinations",
    list: "dump-destinations.list",
    create: "dump-destinations.create",
    update: "dump-destinations.update",
    idParam: "dump_destination_id",
    pathFields,
    references: atLocation,
    keys: [
      { fields: ["description", "address", "city", "zip"] },
      { fields: ["description"], isUnique: true },
      { fields: ["address", "city"], isUnique: true },
    ],
    // No answer shows it: a list holds those only that are in use.
    leftOut: ["is_active"],
  },
  {
    type: "Driver",
    noun: "drivers",
    list: "drivers.list",
    get: "drivers.get",
    create: "drivers.create",
    update: "drivers.update",
    idParam: "driver_id",
    pathFields,
    references: atLocation,
    keys: [{ fields: ["name"] }],
    late: { is_deactivated: true },
  },
  {
    type: "Truck",
    noun: "trucks",
    list: "trucks.list",
    create: "trucks.create",
    update: "trucks.update",
    idParam: "truck_id",
    pathFields,
    references: { ...atLocation, driver_id: "Driver" },
    keys: [{ fields: ["name"] }],
    late: { out_of_service: true },
  },
  {
    type: "Customer",
    noun: "customers",
    list: "customers.list",
    create: "customers.create",
    update: "customers.update",
    idParam: "customer_id",
    fields: ["name", "parent_id"],
    references: { parent_id: "Customer" },
    keys: [
      { fields: ["locations.0.reference_number", "locations.0.location_id"], isUnique: true },
      { fields: ["name", "addresses.0.line_1", "addresses.0.postcode"] },
      { fields: ["name"], isUnique: true },
    ],
    parts: [
      {
        field: "addresses",
        type: "Address",
        create: "addresses.add",
        update: "addresses.update",
        removal: "addresses.remove",
        idParam: "customer_address_id",
        references: {},
        keys: [
          { fields: ["line_1", "line_2", "locality", "postcode", "is_active"] },
          { fields: ["line_1", "line_2", "locality", "postcode"] },
          { fields: [], isUnique: true },
        ],
        late: { is_active: false },
      },
      {
        field: "contacts",
        create: "contacts.add",
        update: "contacts.update",
        idParam: "customer_contact_id",
        references: {},
        keys: [
          { fields: ["name", "number", "email"] },
          { fields: ["name"], isUnique: true },
          { fields: [], isUnique: true },
        ],
      },
      {
        field: "locations",
        create: "customer-locations.add",
        update: "customer-locations.update",
        idParam: null,
        pathFields,
        pathParams: { customer_location_id: "location_id" },
        references: atLocation,
        keys: [{ fields: ["location_id"] }],
        late: { is_active: false },
      },
    ],
    toCreation: toCustomerCreation,
    fromCreation: (answer) => ({ ...answer, locations: [answer] }),
  },
  {
    type: "Asset",
    noun: "assets",
    list: "assets.list",
    create: "assets.create",
    update: "assets.update",
    idParam: "asset_id",
    pathFields,
    references: { ...atLocation, asset_type_id: "AssetType", customer_id: "Customer" },
    keys: [
      { fields: ["number", "asset_type_id"], isUnique: true },
      { fields: ["number", "asset_type_id", "customer_id", "cluster", "description"] },
    ],
  },
  {
    type: "Job",
    noun: "jobs",
    list: "locations.jobs",
    create: "jobs.create",
    update: "jobs.update",
    idParam: "job_id",
    pathFields,
    references: {
      ...atLocation,
      address_id: "Address",
      asset_dropped_id: "Asset",
      asset_id: "Asset",
      asset_type_id: "AssetType",
      customer_id: "Customer",
      dump_location_id: "DumpDestination",
      final_location_id: "DumpDestination",
      requested_by: "Customer",
      start_location_id: "DumpDestination",
      truck_id: "Truck",
    },
    keys: [
      { fields: ["reference_number", "requested_on"], isUnique: true },
      { fields: ["requested_by", "address_id", "type", "requested_on"] },
      { fields: ["reference_number"], isUnique: true },
    ],
    leftOut: ["completed_by", "last_updated_on"],
    parts: [
      {
        field: "images",
        create: "jobs.add-image",
        update: null,
        idParam: null,
        references: {},
        keys: [{ fields: ["url", "description"] }],
      },
      {
        field: "materials",
        create: "jobs.add-material",
        update: null,
        idParam: null,
        references: { material_item_id: "Material" },
        keys: [
          {
            fields: [
              "material_item_id",
              "material_name",
              "heavy_weight",
              "light_weight",
              "quantity",
              "tare_weight",
            ],
          },
        ],
      },
    ],
    toCreation: toJobCreation,
    toPatch: toJobPatch,
  },
];
