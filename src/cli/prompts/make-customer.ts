import type { Client } from "../../client/client.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import { CreateCustomerContactModel } from "../../models/contact.ts";
import { CreateCustomerModel } from "../../models/customer.ts";
import type { JsonObject } from "../../models/json.ts";
import { openGuess } from "../../sync/rows/guess-coordinates.ts";
import type { CliContext } from "../context.ts";
import { tell } from "../output/tell.ts";
import { toVisible } from "../output/text.ts";
import { type Asking, askNamed } from "./ask-value.ts";

/** Where the customer is made, and what was typed in search of it. */
interface NewCustomer {
  locationId: string;
  typed: string;
}

/**
 * Makes a customer with the fewest questions (OP-227): its name, whom to call, and one address, for bills and jobs alike.
 * Enter gives the location's state, and the US. Coordinates are about: of the ZIP, else of the location, and said to be.
 */
export async function makeCustomer(
  { stderr }: CliContext,
  asking: Asking,
  client: Client,
  { locationId, typed }: NewCustomer,
): Promise<number> {
  const params = { location_id: locationId };
  const { address: home } = await client.call("locations.get", { params });
  const name = await askNamed(asking, "name", CreateCustomerModel.shape.name, typed);
  const contact = await askFields(asking, CreateCustomerContactModel.shape, ["number", "name"], {});
  const fields = ["line_1", "locality", "region", "postcode", "country"] as const;
  const preset = { country: "US", region: home?.region ?? null };
  const address = await askFields(asking, CreateCustomerAddressModel.shape, fields, preset);
  const place = await findPlace(asking, client, address, { home, locationId });
  const body = {
    addresses: [{ ...address, ...place.coordinates, is_billing: true, is_shipping: true }],
    contacts: Object.keys(contact).length === 0 ? [] : [contact],
    name,
  };
  // Each answer was checked by the field's own model.
  const made = await client.call("customers.create", { params, body: body as never });
  const about = place.source === null ? "" : `, with the coordinates of ${place.source}: about there`;
  tell(stderr, toVisible(`customer ${made.id} ${made.name}, new${about}`));
  return made.id;
}

/** What a contact's fields are called beside those of the customer. */
const said: Readonly<Record<string, string>> = { name: "contact", number: "phone" };

/** Asks for fields one after the other; those that are left out are not in the answer. */
async function askFields<Field extends string>(
  asking: Asking,
  shape: Readonly<Record<Field, Parameters<typeof askNamed>[2]>>,
  fields: readonly Field[],
  preset: Readonly<Partial<Record<Field, string | null>>>,
): Promise<JsonObject> {
  const values: Record<string, string> = {};
  for (const field of fields) {
    const value = await askNamed(asking, said[field] ?? field, shape[field], preset[field] ?? null);
    if (typeof value === "string") values[field] = value;
  }
  return values;
}

interface Home {
  home: { latitude?: number | null; longitude?: number | null } | null;
  locationId: string;
}

/** Where the address is, about, and by what that is known; asked for where nothing tells it. */
async function findPlace(
  asking: Asking,
  client: Client,
  address: JsonObject,
  { home, locationId }: Home,
): Promise<{ coordinates: JsonObject; source: string | null }> {
  const byZip = (await openGuess("zip", { client }, Number(locationId))).placeOf(address);
  if (byZip) return { coordinates: { ...byZip }, source: `ZIP ${String(address.postcode)}` };
  const { latitude, longitude } = home ?? {};
  if (typeof latitude === "number" && typeof longitude === "number")
    return { coordinates: { latitude, longitude }, source: "the location" };
  const { shape } = CreateCustomerAddressModel;
  const coordinates = {
    latitude: Number(await askNamed(asking, "latitude", shape.latitude, null)),
    longitude: Number(await askNamed(asking, "longitude", shape.longitude, null)),
  };
  return { coordinates, source: null };
}
