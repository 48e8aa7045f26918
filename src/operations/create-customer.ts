import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure, throwIfAny } from "../errors/errors.ts";
import { CreateCustomerModel, DispatchCustomerLocationModel } from "../models/customer.ts";
import { id, integer } from "../models/fields.ts";
import { optional } from "../models/model.ts";
import { createLoopTime } from "../runtime/loop-time.ts";
import { toLocationCustomer } from "../store/queries/location-customer.ts";
import { ComparedBefore, findNear, toAddressKey, tooManyToCompare } from "../store/queries/match-key.ts";
import type { Customer, NewContact } from "../store/schema/customer.ts";
import { toNewAddress } from "./addresses.ts";
import { toNewContact } from "./contacts.ts";
import { toNewSettings, toReported } from "./customer-locations.ts";
import { getLocationCustomer } from "./locations.ts";
import { findUnknown, found, requireLocation } from "./records.ts";

type CreateCustomer = z.output<typeof CreateCustomerModel>;

export const createCustomer = defineOperation({
  name: "customers.create",
  summary: "Create a customer at a location, with its addresses and contacts",
  description:
    "The customer is created with its addresses, contacts, and record at the location; an empty list of contacts creates one empty contact. A customer of the same name and address at the location is refused as a duplicate (409).",
  route: "POST /locations/{location_id}/customers",
  params: { location_id: id().describe("location identifier") },
  query: {
    max_address_edit_distance: optional(
      integer(0, 999).describe(
        "addresses within this many edits count as equal in the search for duplicates (default 0)",
      ),
    ),
  },
  body: CreateCustomerModel,
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getLocationCustomer, emits: ["Customer", "CustomerLocation"] },
  refuses: ["duplicate_record"],
  // Comparing takes longer than a transaction may last. The transaction compares what others have written since.
  async prepare({ read, runTask }, input) {
    const edits = Number(input.query.max_address_edit_distance ?? 0);
    // callOperation has parsed the body by its model.
    const { addresses, name } = input.body as CreateCustomer;
    if (edits === 0 || addresses.length === 0) return input;
    const keys = addresses.map(toAddressKey);
    const texts = await read(({ customers }) => customers.findSimilar(name, keys, edits));
    if (texts === null) return { ...input, prepared: tooManyToCompare };
    const search = { edits, keys, texts };
    const isShort = keys.length * texts.length <= pairsHereMax;
    const compared = isShort ? findNear(search) : await runTask("nearAddresses", search);
    return { ...input, prepared: new ComparedBefore(texts, compared) };
  },
  async run(context, { params, query, body, prepared }) {
    await requireLocation(context, params.location_id);
    throwIfAny(
      await findUnknown(context, [
        [
          {
            field: "CreateCustomerModel.parent_id",
            table: "customers",
            noun: "customer",
            listedBy: { operation: "customers.list" },
          },
          body.parent_id,
        ],
      ]),
    );
    const edits = query.max_address_edit_distance ?? 0;
    const compared = prepared instanceof ComparedBefore ? prepared : undefined;
    await refuseDuplicate(context, params.location_id, body, edits, compared);
    const customer = await insertCustomer(context, params.location_id, body);
    const shown = found(toLocationCustomer(customer, params.location_id), "customer", customer.id);
    const created = { action: "created", id: customer.id, before: null };
    context.changed({ ...created, type: "Customer", after: { ...customer } });
    context.changed({ ...created, type: "CustomerLocation", after: toReported(shown) });
    return shown;
  },
});

/** Up to this many pairs, a comparison here (some ms) is faster than a thread. */
const pairsHereMax = 2000;

async function refuseDuplicate(
  { store }: Context,
  locationId: number,
  { addresses, name }: CreateCustomer,
  edits: number,
  compared: ComparedBefore | undefined,
): Promise<void> {
  const duplicate = await store.customers.findDuplicate(locationId, name, addresses, edits, compared);
  if (duplicate === undefined) return;
  if (duplicate === "undecided") {
    const field = "max_address_edit_distance";
    const detail = `${field}: too many customers have this name to compare all their addresses within ${edits} edits; use a smaller number, or send fewer addresses at once.`;
    throw failure("too_big", detail, field);
  }
  throw failure(
    "duplicate_record",
    `Customer ${duplicate} at location ${locationId} has this name and ${addresses.length === 0 ? "no address either" : "one of these addresses"}.`,
    "CreateCustomerModel.name",
  );
}

async function insertCustomer(
  { now, store }: Context,
  locationId: number,
  body: CreateCustomer,
): Promise<Customer> {
  const parentId = body.parent_id ?? null;
  const customerId = await store.customers.insert({ name: body.name, parent_id: parentId, created_on: now });
  const settings = toNewSettings(body, customerId, locationId, now);
  await store.customers.insertSettings(settings);
  const customer: Customer = {
    addresses: [],
    contacts: [],
    created_on: now,
    id: customerId,
    last_updated_on: now,
    locations: [settings],
    name: body.name,
    parent_id: parentId,
  };
  const letOthersIn = createLoopTime();
  for (const address of body.addresses) {
    await letOthersIn();
    customer.addresses.push(await store.customers.insertAddress(customerId, toNewAddress(address)));
  }
  for (const contact of toNewContacts(body)) {
    await letOthersIn();
    customer.contacts.push(await store.customers.insertContact(customerId, contact));
  }
  return customer;
}

function toNewContacts({ contacts }: CreateCustomer): NewContact[] {
  return contacts.length === 0 ? [toNewContact({})] : contacts.map(toNewContact);
}
