import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { countryOf, parseAddress } from "../../../geography/parse-address.ts";
import type { Session } from "../../session/session.ts";
import type { Fleet } from "../state/read-day.ts";

type Operations = OperationsAt<NewestVersion>;
type NewCustomer = Operations["customers.create"]["input"]["body"];
type NewAddress = NewCustomer["addresses"][number];

const example = "1745 T St SE, Washington DC 20020";

/** The fields of a caller who is no customer yet. */
export const newCustomerFields = [
  { as: "line", charsMax: 256, label: "Name", names: ["name"] },
  { as: "line", charsMax: 256, label: "Phone", names: ["phone"] },
  {
    as: "line",
    charsMax: 1024,
    forms: example,
    label: "Address in one line",
    names: ["address"],
  },
] as const;

/** The name or the phone number that the user typed in the search for a customer. */
export const toCallerTexts = (typed: string): [string, string][] => [
  [/^[+(]?\d[\d\s().+-]{5,}/.test(typed) ? "phone" : "name", typed],
];

/** The position is still missing. */
type ReadCustomer =
  | { customer: Omit<NewCustomer, "addresses"> & { address: Omit<NewAddress, "latitude" | "longitude"> } }
  | { refusals: ReadonlyMap<string, string> };

export function readNewCustomer(texts: ReadonlyMap<string, string>, { location }: Fleet): ReadCustomer {
  const textOf = (field: string) => texts.get(field)?.trim() ?? "";
  const name = textOf("name");
  const typed = textOf("address");
  const parts = parseAddress(typed);
  const refusals = new Map<string, string>();
  if (name === "") refusals.set("name", "Type the name of the customer.");
  const words = { line_1: "street", locality: "city", postcode: "zip", region: "state" } as const;
  const missing = Object.entries(words).filter(([field]) => !parts?.[field as keyof typeof words]);
  if (missing.length > 0)
    refusals.set(
      "address",
      `"${typed}" has no ${missing.map(([, word]) => word).join(", ")}. Type it like ${example}.`,
    );
  const { line_1 = "", locality = "", postcode = "", region = "" } = parts ?? {};
  if (refusals.size > 0) return { refusals };
  const home = countryOf(location.address?.postcode, location.address?.region);
  const country = parts?.country ?? countryOf(postcode, region) ?? home ?? "US";
  const address = {
    ...parts,
    country,
    is_billing: true,
    is_shipping: true,
    line_1,
    locality,
    postcode,
    region,
  };
  const number = textOf("phone");
  return { customer: { address, contacts: number === "" ? [] : [{ name, number }], name } };
}

/** Stores a customer at a location. Throws for a name that a customer has. */
export async function storeNewCustomer(
  { client }: Session,
  { address, ...customer }: Extract<ReadCustomer, { customer: unknown }>["customer"],
  { location }: Fleet,
  idempotencyKey: string,
): Promise<Operations["customers.create"]["answer"]> {
  const { name } = customer;
  const same = await client.call("search.find", { query: { kind: "customer", q: name } });
  if (same.results.some((hit) => hit.name.toLowerCase() === name.toLowerCase()))
    throw new Error(`There is already a customer ${name}. Go back and choose it.`);
  const place = (await findNear(client, address.postcode)) ?? location.address;
  const { latitude = null, longitude = null } = place ?? {};
  if (latitude === null || longitude === null)
    throw new Error(
      `The position of ${address.postcode} is unknown. Give ${location.name} an address first.`,
    );
  return client.call("customers.create", {
    body: { ...customer, addresses: [{ ...address, latitude, longitude }] },
    idempotencyKey,
    params: { location_id: location.id },
  });
}

/** The position of a known address with the same postcode, because a browser has no table of them. */
async function findNear(client: Session["client"], postcode: string) {
  const { results } = await client.call("search.find", {
    query: { kind: "customer", limit: 1, q: postcode },
  });
  const [hit] = results;
  if (!hit) return null;
  const { addresses } = await client.call("customers.get", { params: { customer_id: hit.id } });
  return addresses.find((known) => known.postcode === postcode) ?? null;
}
