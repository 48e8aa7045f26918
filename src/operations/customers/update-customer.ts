import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import { CustomerModel } from "../../models/customer.ts";
import { id } from "../../models/fields.ts";
import { isSame } from "../../models/json.ts";
import { UpdateCustomerModel } from "../../models/update-customer.ts";
import { toPatched } from "../record-changes.ts";
import { findUnknown, found } from "../records.ts";
import { getCustomer } from "./get-customer.ts";
import { reportCustomer } from "./report-customer.ts";

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
    const before = found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const after = toPatched({ ...before }, body);
    if (isSame(before, after)) return before;
    if (after.parent_id !== null && after.parent_id !== before.parent_id)
      await requireParent(context, before.id, after.parent_id);
    await store.customers.update(before.id, after);
    return reportCustomer(context, before);
  },
});

/** The parent must be there, and must not descend from the customer. */
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
  const cycle = await toText(context, [customerId, ...line.slice(0, end + 1)]);
  throw failure(
    "state_conflict",
    `${parentField}: customer ${customerId} would be its own ancestor: ${cycle}.`,
    parentField,
  );
}

/** The line of ancestors in few words, without those that the caller may not see and without the middle of a long line. */
async function toText({ store }: Context, line: readonly number[]): Promise<string> {
  const shown = line.length > 9 ? [...line.slice(0, 4), null, ...line.slice(-4)] : line;
  const names: string[] = [];
  for (const id of shown)
    names.push(id !== null && (await store.references.find("customers", id)) ? String(id) : "…");
  return names.join(" → ");
}
