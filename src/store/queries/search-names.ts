import type { TenantAccess } from "../access/access.ts";
import { foldCase, toMatchKey } from "./match-key.ts";

/** The customers with the exact name, and as many whose names begin with it, that are compared in detail. */
const namedMax = 150;

/** The customers with this whole name, and those whose names begin with it, however many have the same words. */
export async function findNamedCustomers(
  access: TenantAccess,
  locationId: number | null,
  query: string,
): Promise<number[]> {
  const folded = foldCase(query.trim());
  if (folded === "") return [];
  const customers = () => {
    const all = access.select("customers").select("id").limit(namedMax);
    if (locationId === null) return all;
    const there = access.select("customer_locations").where("location_id", "=", locationId);
    return all.where("id", "in", there.select("customer_id"));
  };
  const groups = await Promise.all([
    customers().where("name_key", "=", toMatchKey(query)).execute(),
    customers()
      .where("name_folded", ">=", folded)
      .where("name_folded", "<", `${folded}\u{10ffff}`)
      .orderBy("name_folded")
      .execute(),
  ]);
  return groups.flat().map(({ id }) => id);
}
