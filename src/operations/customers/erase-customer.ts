import { defineOperation } from "../../core/operation.ts";
import { MadeErasureModel } from "../../models/erasure.ts";
import { id } from "../../models/fields.ts";
import { toErasedWord } from "../../store/sweep-erasure.ts";
import { beginErasure } from "../erasures/begin-erasure.ts";
import { found, requireTenantWide } from "../records.ts";

export const eraseCustomer = defineOperation({
  name: "customers.erase",
  summary: "Erase a customer's personal data everywhere, for good",
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
    const customer = found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const counts = await store.erasures.eraseCustomer(customer, toErasedWord(customer.id), now);
    const erasure = await beginErasure(context, { id: customer.id, type: "Customer" }, counts);
    const data = found(await store.customers.findWhole(customer.id), "customer", customer.id);
    // The trail says that it was erased, and nothing of what.
    const after = { id: customer.id };
    changed({ type: "Customer", action: "erased", id: customer.id, before: null, after, data: { ...data } });
    return erasure;
  },
});
