import { sql } from "kysely";
import type { CustomerFilters } from "../../models/customer.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Customer } from "../schema/customer.ts";
import { filterCustomers, filterRecords, type ListFilters } from "./customer-filters.ts";
import { addressQueries, contactQueries, customerRecordQueries } from "./customer-parts.ts";
import { findDuplicate, findSimilar } from "./customers-duplicates.ts";
import { loadCustomers, loadWholeCustomers, type Revise } from "./load-customers.ts";
import { type AddressParts, type ComparedBefore, foldCase, toAddressKey, toMatchKey } from "./match-key.ts";
import { keepAfter, readPage } from "./pages.ts";

export function customerQueries(access: TenantAccess) {
  /** Caches compare the revision, so every statement that changes a customer or its parts must call this. */
  const revise: Revise = async (id) => {
    access.customers.forget(id);
    await access
      .update("customers")
      .set((eb) => ({ revision: eb("revision", "+", 1) }))
      .where("id", "=", id)
      .execute();
  };
  return {
    ...customerLookup(access),
    ...customerPages(access),
    ...customerChanges(access, revise),
    ...customerRecordQueries(access, revise),
    ...addressQueries(access, revise),
    ...contactQueries(access, revise),
  };
}

function customerLookup(access: TenantAccess) {
  const load = (ids: readonly number[]) => loadCustomers(access, ids);
  return {
    load,

    async find(id: number): Promise<Customer | undefined> {
      const seen = await access.select("customers").where("id", "=", id).select("id").executeTakeFirst();
      return seen && (await load([id])).get(id);
    },

    /** Includes records at hidden locations, for events. */
    async findWhole(id: number): Promise<Customer | undefined> {
      return (await loadWholeCustomers(access, [id])).get(id);
    },

    /** undefined without a visible record at the location. */
    async findAt(locationId: number, id: number): Promise<Customer | undefined> {
      if (access.coversTenant) {
        const customer = (await load([id])).get(id);
        return customer?.locations.some(({ location_id }) => location_id === locationId)
          ? customer
          : undefined;
      }
      const seen = await access
        .select("customer_locations")
        .where("location_id", "=", locationId)
        .where("customer_id", "=", id)
        .select("customer_id")
        .executeTakeFirst();
      return seen && (await load([id])).get(id);
    },

    /** Includes hidden customers. undefined without a record at the location. */
    async findUnseenAt(locationId: number, id: number): Promise<Customer | undefined> {
      const customer = (await loadWholeCustomers(access, [id])).get(id);
      return customer?.locations.some(({ location_id }) => location_id === locationId) ? customer : undefined;
    },

    ancestorsOf: (id: number) => findAncestors(access, id),

    findDuplicate: (
      locationId: number,
      name: string,
      addresses: readonly AddressParts[],
      edits: number,
      compared?: ComparedBefore,
    ): Promise<number | "undecided" | undefined> =>
      findDuplicate(access, locationId, toMatchKey(name), addresses.map(toAddressKey), edits, compared),

    findSimilar: (name: string, keys: readonly string[], edits: number): Promise<string[] | null> =>
      findSimilar(access, toMatchKey(name), keys, edits),
  };
}

function customerPages(access: TenantAccess) {
  return {
    async page(filters: ListFilters, paging: Paging): Promise<Page<Customer>> {
      const matching = filterCustomers(access, filters);
      const behind = keepAfter(matching, paging.after);
      const show = (rows: typeof behind) => rows.select("id").orderBy("id");
      const page = await readPage(access, matching, paging, show, { behind });
      const ids = page.rows.map((row) => row.id);
      return { ...page, rows: inOrder(ids, await loadCustomers(access, ids)) };
    },

    async pageAt(locationId: number, filters: CustomerFilters, paging: Paging): Promise<Page<Customer>> {
      const matching = filterRecords(access, locationId, filters);
      const behind = keepAfter(matching, paging.after, "customer_id");
      const show = (rows: typeof behind) => rows.select("customer_id").orderBy("customer_id");
      const page = await readPage(access, matching, paging, show, { behind });
      const ids = page.rows.map((row) => row.customer_id);
      return { ...page, rows: inOrder(ids, await loadCustomers(access, ids)) };
    },
  };
}

function customerChanges(access: TenantAccess, revise: Revise) {
  return {
    async insert(customer: {
      name: string;
      parent_id: number | null;
      created_on: Timestamp;
    }): Promise<number> {
      const row = {
        ...customer,
        last_updated_on: customer.created_on,
        name_folded: foldCase(customer.name),
        name_key: toMatchKey(customer.name),
        revision: 0,
      };
      const { id } = await access.insert("customers", row).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async update(id: number, { name, parent_id }: { name: string; parent_id: number | null }): Promise<void> {
      const name_key = toMatchKey(name);
      const changed = { name, name_folded: foldCase(name), name_key, parent_id };
      await access.update("customers").set(changed).where("id", "=", id).execute();
      await access
        .update("addresses")
        .set({ name_key })
        .where("customer_id", "=", id)
        .where("name_key", "!=", name_key)
        .execute();
      await revise(id);
    },

    async touch(id: number, at: Timestamp): Promise<void> {
      await access.update("customers").set({ last_updated_on: at }).where("id", "=", id).execute();
      await revise(id);
    },
  };
}

function inOrder(ids: readonly number[], customers: ReadonlyMap<number, Customer>): Customer[] {
  return ids.flatMap((id) => customers.get(id) ?? []);
}

/** Returns the chain of parents, visible or not. A cycle ends before the first repeated customer. */
export async function findAncestors(access: TenantAccess, id: number): Promise<number[]> {
  const { tenantId } = access;
  // `union` removes repeated customers, which ends the recursion in a cycle.
  const chain = sql<number>`(
    with recursive line (id, parent_id) as (
      select id, parent_id from customers where tenant_id = ${tenantId} and id = ${id}
      union
      select up.id, up.parent_id from customers as up, line where up.tenant_id = ${tenantId} and up.id = line.parent_id
    )
    select id from line)`;
  const rows = await access
    .selectUnseen("customers")
    .where("id", "in", chain)
    .select(["id", "parent_id"])
    .execute();
  const parents = new Map(rows.map((row) => [row.id, row.parent_id]));
  const line = new Set<number>();
  let next: number | null = parents.has(id) ? id : null;
  while (next !== null && !line.has(next)) {
    line.add(next);
    next = parents.get(next) ?? null;
  }
  return [...line];
}
