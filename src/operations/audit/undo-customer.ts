import type { Context } from "../../core/context.ts";
import type { Operation } from "../../core/operation.ts";
import type { DispatchError } from "../../errors/errors.ts";
import { isSame } from "../../models/json.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { findOwnAddress, removeAddress, updateAddress } from "../addresses.ts";
import { updateContact } from "../contacts.ts";
import { removeCustomerLocation, updateCustomerLocation } from "../customer-locations.ts";
import { reportCustomer, updateCustomer } from "../customers.ts";
import { toOperationCall, toSettable, type UndoCall } from "./undoable.ts";

/** A new customer has no calls: the undo deactivates its location record. Throws `refused`. */
export function toCustomerCalls(
  { after, before, record_id }: AuditEntry,
  refused: DispatchError,
): UndoCall[] {
  if (before === null) return [];
  const params = { customer_id: record_id };
  const own = toSettable(updateCustomer, before);
  const calls: UndoCall[] =
    Object.keys(own).length === 0 ? [] : [toOperationCall(updateCustomer, params, own)];
  for (const [name, part] of Object.entries(parts)) {
    const were = toParts(before[name]);
    const are = toParts(after?.[name]);
    // The trail has active addresses only; contacts are never removed.
    for (const { id } of were.filter((was) => !are.some((now) => now.id === was.id)))
      calls.push({ operation: updateAddress, run: (context) => bringBackAddress(context, record_id, id) });
    for (const now of are) {
      const was = were.find(({ id }) => id === now.id);
      if (was && isSame(was, now)) continue;
      calls.push(toPartCall({ ...params, [part.idParam]: now.id }, part, was, now, refused));
    }
  }
  if (calls.length === 0) throw refused;
  return calls;
}

type Part = Readonly<Record<string, unknown>> & { id: number };

interface PartKind {
  idParam: string;
  update: Operation;
  remove: Operation | null;
}

const parts: Readonly<Record<string, PartKind>> = {
  addresses: { idParam: "customer_address_id", update: updateAddress, remove: removeAddress },
  contacts: { idParam: "customer_contact_id", update: updateContact, remove: null },
};

/** The trail has a customer's lists as in responses. */
const toParts = (list: unknown) => (Array.isArray(list) ? (list as Part[]) : []);

function toPartCall(
  params: Readonly<Record<string, number>>,
  { remove, update }: PartKind,
  was: Part | undefined,
  now: Part,
  refused: DispatchError,
): UndoCall {
  if (was === undefined) {
    if (remove === null) throw refused;
    return toOperationCall(remove, params, null);
  }
  const names = Object.keys(was).filter((name) => !isSame(was[name], now[name]));
  const body = toSettable(update, Object.fromEntries(names.map((name) => [name, was[name]])));
  if (Object.keys(body).length < names.length) throw refused;
  return toOperationCall(update, params, body);
}

/** No operation makes a removed address active again. */
async function bringBackAddress(context: Context, customerId: number, addressId: number): Promise<void> {
  const ids = { customer_address_id: addressId, customer_id: customerId };
  const { address, customer } = await findOwnAddress(context, ids);
  await context.store.customers.updateAddress(customer.id, { ...address, is_active: true });
  await reportCustomer(context, customer);
}

export function toCustomerLocationCalls(
  { after, before, record_id }: AuditEntry,
  refused: DispatchError,
): UndoCall[] {
  const locationId = after?.location_id;
  if (typeof locationId !== "number") throw refused;
  const params = { customer_id: record_id, customer_location_id: locationId };
  if (before === null) return [toOperationCall(removeCustomerLocation, params, null)];
  const { location_id: _, ...fields } = before;
  const body = toSettable(updateCustomerLocation, fields);
  if (Object.keys(body).length === 0) throw refused;
  return [toOperationCall(updateCustomerLocation, params, body)];
}
