import type { CustomerFilters } from "../../models/customer.ts";
import type { TenantAccess } from "../access/access.ts";
import { type Conditions, filterRows, hasFilter, isLike } from "./filters.ts";
import { foldCase } from "./match-key.ts";
import type { Matching } from "./pages.ts";
import { mayHaveReference } from "./reference-filter.ts";

export interface ListFilters extends CustomerFilters {
  location_id?: number | null | undefined;
}

export function filterCustomers(access: TenantAccess, filters: ListFilters): Matching<"customers"> {
  let matching = access.select("customers");
  if (hasFilter(filters, ownConditions)) matching = matching.where("id", "in", selectIds(access, filters));
  if (hasFilter(filters, recordConditions)) {
    // Hidden records must not affect the result, so only visible locations count.
    const records = filterRows(access, access.select("customer_locations"), filters, recordConditions);
    matching = matching.where("id", "in", records.select("customer_id"));
  }
  return filterRows(access, matching, filters, ageConditions);
}

export function filterRecords(
  access: TenantAccess,
  locationId: number,
  filters: CustomerFilters,
): Matching<"customer_locations"> {
  const here = access.select("customer_locations").where("location_id", "=", locationId);
  const matching = filterRows(access, here, filters, conditionsHere);
  return hasFilter(filters, ownConditions)
    ? matching.where("customer_id", "in", selectIds(access, filters))
    : matching;
}

function selectIds(access: TenantAccess, filters: CustomerFilters) {
  return filterRows(access, access.selectUnseen("customers"), filters, ownConditions).select("id");
}

const ownConditions: Conditions<
  "customers",
  Pick<CustomerFilters, "is_parent" | "last_updated_gte" | "name" | "parent_id">
> = {
  name: (customers, value) =>
    value.includes("*")
      ? customers.where(isLike("name_folded", foldCase(value)))
      : customers.where("name_folded", "=", foldCase(value)),
  parent_id: (customers, value) => customers.where("parent_id", "=", value),
  last_updated_gte: (customers, value) => customers.where("last_updated_on", ">", value),
  is_parent: (customers, value, access) => {
    const parents = access.select("customers").where("parent_id", "is not", null).select("parent_id");
    return customers.where("id", value ? "in" : "not in", parents);
  },
};

const recordConditions: Conditions<
  "customer_locations",
  Pick<ListFilters, "active" | "location_id" | "reference_number">
> = {
  location_id: (records, value) => records.where("location_id", "=", value),
  active: (records, value) => records.where("is_active", "=", value),
  reference_number: (records, value, access) =>
    records
      .where(mayHaveReference(access, "customer_locations", value))
      .where("reference_number", "=", value),
};

/** In the list of all customers, the creation of the customer counts. */
const ageConditions: Conditions<"customers", Pick<CustomerFilters, "created_on_gte">> = {
  created_on_gte: (customers, value) => customers.where("created_on", ">=", value),
};

/** In the list of a location, the creation of the record there counts. */
const conditionsHere: Conditions<
  "customer_locations",
  Pick<CustomerFilters, "active" | "created_on_gte" | "reference_number">
> = {
  active: recordConditions.active,
  reference_number: recordConditions.reference_number,
  created_on_gte: (records, value) => records.where("created_on", ">=", value),
};
