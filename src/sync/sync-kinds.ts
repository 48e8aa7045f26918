import type { JsonObject } from "../models/json.ts";
import type { RecordKind } from "../records/record-kind.ts";
import { kindOf } from "../records/record-kinds.ts";
import { type Body, partsOf, type SnapshotRecord } from "./snapshot-record.ts";
import type { SyncTarget } from "./target.ts";
import { readCustomers } from "./walk-list.ts";

export type KindOperation = NonNullable<RecordKind["list"]>;

/** Other records refer to these types, so their records have numbers. */
export type NumberedType = NonNullable<RecordKind["type"]>;

interface Facts extends Pick<RecordKind, "idParam" | "matchKeys" | "update"> {
  create: KindOperation;
  setLast: Readonly<Record<string, boolean>>;
  /** In the path of operations, not in their bodies. */
  pathFields: readonly string[];
  references: Readonly<Record<string, NumberedType>>;
  /** The service derives these fields from other changes, so no source sets them. */
  derived: readonly string[];
  /** Excluded: meaningless in another tenant, or not in any response. */
  tenantOwn: readonly string[];
}

/** A list inside of a record whose entries have their own operations. */
export interface SyncPart extends Facts {
  field: string;
  /** Parameters whose names differ from the fields of the entry. */
  pathParams?: Readonly<Record<string, string>>;
  /** Set if other records refer to its entries. */
  type?: NumberedType;
  /** Makes an entry inactive permanently. */
  remove?: KindOperation;
}

export interface SyncKind extends Facts, Required<Pick<RecordKind, "knownBy" | "list" | "noun" | "type">> {
  /** Fields that the list does not show, and the operation that returns them. */
  hidden: { fields: readonly string[]; get: KindOperation } | null;
  /** Default: all fields of create and update. */
  fields?: readonly string[];
  parts: readonly SyncPart[];
  /** The service fills these fields, so null in a row leaves them unchanged. */
  filledByService?: readonly string[];
  /** Reads all records if the list is not enough. */
  read?(target: SyncTarget): AsyncGenerator<JsonObject>;
  /** Creates a record if its own fields are not enough. */
  toCreation?(record: SnapshotRecord): { params: Body; body: Body };
  /** Converts the response of the creation to a listed record. */
  fromCreation?(answer: JsonObject): JsonObject;
  /** A PATCH that the record's state allows, if it is more than the differences. */
  toPatch?(body: Body, wanted: SnapshotRecord, actual: SnapshotRecord): Body;
}

const byDefault = {
  setLast: {},
  pathFields: ["location_id"],
  references: { location_id: "Location" },
  derived: [],
  tenantOwn: [],
  hidden: null,
  parts: [],
} as const;

// No operation names a customer's record at a location by its ID, and none removes it permanently.
const { idParam: _, remove: __, type: ___, ...customerLocations } = kindOf("customer-locations");

const customerParts: readonly SyncPart[] = [
  {
    ...byDefault,
    ...kindOf("addresses"),
    field: "addresses",
    pathFields: [],
    references: {},
  },
  {
    ...byDefault,
    ...kindOf("contacts"),
    field: "contacts",
    pathFields: [],
    references: {},
  },
  {
    ...byDefault,
    ...customerLocations,
    field: "locations",
    pathParams: { customer_location_id: "location_id" },
  },
];

const jobParts: readonly SyncPart[] = [
  {
    ...byDefault,
    field: "images",
    create: "jobs.add-image",
    pathFields: [],
    references: {},
    matchKeys: [{ fields: ["url", "description"] }],
  },
  {
    ...byDefault,
    field: "materials",
    create: "jobs.add-material",
    pathFields: [],
    references: { material_item_id: "Material" },
    matchKeys: [
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
];

export const syncKinds: readonly SyncKind[] = [
  { ...byDefault, ...kindOf("locations"), pathFields: [], references: {} },
  { ...byDefault, ...kindOf("asset-types") },
  { ...byDefault, ...kindOf("materials") },
  { ...byDefault, ...kindOf("dump-destinations"), tenantOwn: ["is_active"] },
  {
    ...byDefault,
    ...kindOf("drivers"),
    hidden: { fields: ["can_assign_to", "can_dispatch_to"], get: kindOf("drivers").get },
  },
  {
    ...byDefault,
    ...kindOf("trucks"),
    references: { ...byDefault.references, driver_id: "Driver" },
  },
  {
    ...byDefault,
    ...kindOf("customers"),
    pathFields: [],
    fields: ["name", "parent_id"],
    references: { parent_id: "Customer" },
    parts: customerParts,
    read: readCustomers,
    toCreation: toCustomerCreation,
    fromCreation: (answer) => ({ ...answer, locations: [answer] }),
  },
  {
    ...byDefault,
    ...kindOf("assets"),
    references: { ...byDefault.references, asset_type_id: "AssetType", customer_id: "Customer" },
  },
  {
    ...byDefault,
    ...kindOf("jobs"),
    list: kindOf("jobs").listAtLocation,
    references: {
      ...byDefault.references,
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
    derived: ["last_updated_on"],
    tenantOwn: ["completed_by"],
    parts: jobParts,
    filledByService: [
      "completed_by",
      "completed_on",
      "customer_id",
      "dispatched_on",
      "original_schedule_date",
      "requested_on",
      "third_party_hauler_id",
    ],
    toCreation: toJobCreation,
    toPatch: toJobPatch,
  },
];

/** The most addresses and contacts in one request. */
const listedMax = 250;

/** Creates a customer at its first location, with its settings there, addresses, and contacts. */
function toCustomerCreation(customer: SnapshotRecord): { params: Body; body: Body } {
  const [first = {}] = partsOf(customer, "locations") as Body[];
  const { is_active: _, location_id: locationId = null, ...settings } = first;
  const { name = null, parent_id: parentId = null } = customer;
  const addresses = partsOf(customer, "addresses").slice(0, listedMax);
  const contacts = partsOf(customer, "contacts").slice(0, listedMax);
  return {
    params: { location_id: locationId },
    body: {
      ...settings,
      addresses: addresses.map(({ id: __, is_active: ___, ...address }) => address),
      contacts: contacts.map(({ id: __, ...contact }) => contact),
      name,
      parent_id: parentId,
    },
  };
}

/** Later calls complete or delete the job: a completed one would create a pickup, a deleted one refuses images. */
function toJobCreation({ id: _, location_id, ...job }: SnapshotRecord): { params: Body; body: Body } {
  const hasParts = ["images", "materials"].some((field) => partsOf(job, field).length > 0);
  const { images: __, materials: ___, ...body } = job;
  if (body.is_completed === true) delete body.pickup_date;
  if (hasParts) delete body.is_deleted;
  return { params: { location_id: location_id ?? null }, body };
}

/** Some fields of a job can only change one after the other. */
function toJobPatch(body: Body, wanted: SnapshotRecord, actual: SnapshotRecord): Body {
  if (actual.is_deleted === true && body.is_deleted === false) return { is_deleted: false };
  const patch = { ...body };
  // A move to a truck clears the driver's answer unless the request sends it too.
  if ("truck_id" in body) {
    for (const field of ["dispatched_on", "is_acknowledged", "is_declined"])
      if (wanted[field] !== undefined) patch[field] = wanted[field];
  }
  if (body.is_completed === true) {
    patch.pickup_date = null;
    if (wanted.completed_on !== undefined) patch.completed_on = wanted.completed_on;
  }
  return patch;
}
