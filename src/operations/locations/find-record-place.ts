import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { type PlacedKind, RecordPlaceModel, recordPlaceFields } from "../../models/record-place.ts";
import { type Role, roles } from "../../models/user.ts";
import type { ReferencedTable } from "../../store/queries/references.ts";
import { found } from "../records.ts";

export const findRecordPlace = defineOperation({
  name: "locations.of",
  summary: "Tell to which location, or to which customer, a record belongs",
  method: "GET",
  path: "/record_place",
  params: {},
  query: recordPlaceFields,
  body: null,
  output: RecordPlaceModel,
  roles,
  effect: "read",
  extension: true,
  async run({ actor, store }, { query: { kind, record_id } }) {
    if (kind === "users") requireOneOf(actor.roles, userReaders);
    const { isPart, label, table } = placed[kind];
    const { customerId, locationId } = found(await store.references.find(table, record_id), label, record_id);
    return { customer_id: isPart ? customerId : null, location_id: locationId };
  },
});

/** Those who may read users; records of the other kinds are read by all roles, each those that it sees. */
const userReaders: readonly Role[] = ["Admin", "Dispatcher"];

function requireOneOf(held: readonly Role[], allowed: readonly Role[]): void {
  if (held.some((role) => allowed.includes(role))) return;
  throw failure("role_not_allowed", `Users are shown to ${allowed.join(" and ")} only.`);
}

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
