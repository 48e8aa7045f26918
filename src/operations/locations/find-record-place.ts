import { defineOperation } from "../../core/operation.ts";
import { requireRole } from "../../core/require-role.ts";
import { type PlacedKind, RecordPlaceModel, recordPlaceFields } from "../../models/record-place.ts";
import type { ReferencedTable } from "../../store/queries/references.ts";
import { found } from "../records.ts";
import { getUser } from "../users/get-user.ts";

export const findRecordPlace = defineOperation({
  name: "locations.of",
  summary: "Tell to which location, or to which customer, a record belongs",
  route: "GET /record_place",
  query: recordPlaceFields,
  output: RecordPlaceModel,
  allow: "anyRole",
  extension: true,
  async run({ actor, store }, { query: { kind, record_id } }) {
    // Records of the other kinds are read by all roles, each those that it sees.
    if (kind === "users") requireRole(getUser, actor);
    const { isPart, label, table } = placed[kind];
    const { customerId, locationId } = found(await store.references.find(table, record_id), label, record_id);
    return { customer_id: isPart ? customerId : null, location_id: locationId };
  },
});

/** The table that holds a kind, what one of it is called, and whether it is a part of a customer. */
const placed: Readonly<Record<PlacedKind, { isPart?: true; label: string; table: ReferencedTable }>> = {
  addresses: { isPart: true, label: "address", table: "addresses" },
  "asset-types": { label: "asset type", table: "asset_types" },
  assets: { label: "asset", table: "assets" },
  contacts: { isPart: true, label: "contact", table: "contacts" },
  customers: { label: "customer", table: "customers" },
  drivers: { label: "driver", table: "drivers" },
  "dump-destinations": { label: "dump destination", table: "dump_destinations" },
  jobs: { label: "job", table: "jobs" },
  materials: { label: "material", table: "materials" },
  trucks: { label: "truck", table: "trucks" },
  users: { label: "user", table: "users" },
};
