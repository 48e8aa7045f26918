import { type Body, partsOf, type SnapshotRecord } from "./snapshot-record.ts";

/** As many addresses, and contacts, as one request may bring; the others are added one by one. */
const listedMax = 250;

/** A customer is created at its first location, with its settings there, its addresses, and its contacts. */
export function toCustomerCreation(customer: SnapshotRecord): { params: Body; body: Body } {
  const [first = {}] = partsOf(customer, "locations") as Body[];
  const { is_active: _, location_id: locationId = null, ...settings } = first;
  const { name = null, parent_id: parentId = null } = customer;
  const addresses = partsOf(customer, "addresses").slice(0, listedMax);
  const contacts = partsOf(customer, "contacts").slice(0, listedMax);
  return {
    params: { location_id: locationId },
    body: {
      ...settings,
      addresses: addresses.map(({ id: __, is_active: ___, ...address }) => address),
      contacts: contacts.map(({ id: __, ...contact }) => contact),
      name,
      parent_id: parentId,
    },
  };
}
