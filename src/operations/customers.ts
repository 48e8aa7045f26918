import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure, throwIfAny } from "../errors/errors.ts";
import {
  CustomerListModel,
  CustomerModel,
  customerFilters,
  UpdateCustomerModel,
} from "../models/customer.ts";
import { MadeErasureModel } from "../models/erasure.ts";
import { id } from "../models/fields.ts";
import { isSame } from "../models/json.ts";
import { optional } from "../models/model.ts";
import { cursorPaging, toList, toPaging } from "../models/page.ts";
import type { Customer } from "../store/schema/customer.ts";
import { toErasedWord } from "../store/sweep-erasure.ts";
import { beginErasure } from "./erasures.ts";
import { toPatched } from "./record-changes.ts";
import { findUnknown, found, requireCustomer, requireTenantWide } from "./records.ts";

export const getCustomer = defineOperation({
  name: "customers.get",
  summary: "Show a customer with all its locations",
  route: "GET /customers/{customer_id}",
  params: { customer_id: id() },
  output: CustomerModel,
  allow: "anyRole",
  run: (context, { params }) => requireCustomer(context, params.customer_id),
});

export const listCustomers = defineOperation({
  name: "customers.list",
  summary: "List customers",
  route: "GET /customers",
  query: {
    ...cursorPaging,
    ...customerFilters,
    location_id: optional(id().describe("only customers with a record at this location")),
  },
  output: CustomerListModel,
  allow: "anyRole",
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.customers.page(query, wanted), wanted);
  },
});

const parentField = "UpdateCustomerModel.parent_id";

export const updateCustomer = defineOperation({
  name: "customers.update",
  summary: "Change a customer's name or parent, for all its locations",
  route: "PATCH /customers/{customer_id}",
  params: { customer_id: id() },
  body: UpdateCustomerModel,
  output: CustomerModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomer, emits: ["Customer"] },
  async run(context, { params, body }) {
    const { store } = context;
    const before = await requireCustomer(context, params.customer_id);
    const after = toPatched({ ...before }, body);
    if (isSame(before, after)) return before;
    if (after.parent_id !== null && after.parent_id !== before.parent_id)
      await requireParent(context, before.id, after.parent_id);
    await store.customers.update(before.id, after);
    return reportCustomer(context, before);
  },
});

/** The parent must exist, and must not descend from the customer. */
async function requireParent(context: Context, customerId: number, parentId: number): Promise<void> {
  const reference = {
    field: parentField,
    table: "customers",
    noun: "customer",
    listedBy: { operation: "customers.list" },
  } as const;
  throwIfAny(await findUnknown(context, [[reference, parentId]]));
  const line = await context.store.customers.ancestorsOf(parentId);
  const end = line.indexOf(customerId);
  if (end === -1) return;
  const cycle = await describeLine(context, [customerId, ...line.slice(0, end + 1)]);
  throw failure(
    "state_conflict",
    `${parentField}: customer ${customerId} would be its own ancestor: ${cycle}.`,
    parentField,
  );
}

/** Omits ancestors that the caller may not see, and the middle of a long line. */
async function describeLine({ store }: Context, line: readonly number[]): Promise<string> {
  const shown = line.length > 9 ? [...line.slice(0, 4), null, ...line.slice(-4)] : line;
  const names: string[] = [];
  for (const id of shown)
    names.push(id !== null && (await store.references.find("customers", id)) ? String(id) : "…");
  return names.join(" → ");
}

export const eraseCustomer = defineOperation({
  name: "customers.erase",
  summary: "Erase a customer's personal data everywhere, permanently",
  description:
    "The customer, its addresses, contacts and jobs stay with their ids and counts; names, numbers, places and notes are replaced wherever they are kept: in records, the audit trail, events, deliveries and kept answers. A long history is erased in the background.",
  route: "POST /customers/{customer_id}/erase",
  params: { customer_id: id() },
  output: MadeErasureModel,
  allow: ["Admin"],
  changes: { emits: ["Customer"], writes: "alone" },
  effect: "delete",
  extension: true,
  async run(context, { params }) {
    const { actor, changed, now, store } = context;
    requireTenantWide(actor);
    const customer = await requireCustomer(context, params.customer_id);
    const counts = await store.erasures.eraseCustomer(customer, toErasedWord(customer.id), now);
    const erasure = await beginErasure(context, { id: customer.id, type: "Customer" }, counts);
    const data = found(await store.customers.findWhole(customer.id), "customer", customer.id);
    // The trail has the erasure and none of the erased data.
    const after = { id: customer.id };
    changed({ type: "Customer", action: "erased", id: customer.id, before: null, after, data: { ...data } });
    return erasure;
  },
});

/** Call it after the write. Returns the customer as the caller sees it; the event has all its locations. */
export async function reportCustomer(
  { now, store, changed }: Context,
  { id, ...before }: Customer,
): Promise<Customer> {
  await store.customers.touch(id, now);
  const whole = found(await store.customers.findWhole(id), "customer", id);
  const after = found(await store.customers.find(id), "customer", id);
  changed({
    type: "Customer",
    action: "updated",
    id,
    before: { id, ...before },
    after: { ...after },
    data: { ...whole },
  });
  return after;
}
