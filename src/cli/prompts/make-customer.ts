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

interface NewCustomer {
  locationId: string;
  typed: string;
}

/**
 * Creates a customer with few questions: name, contact, and one address for billing and jobs. Enter takes the
 * location's state and the US. Coordinates are approximate: from the ZIP code, else from the location.
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
  // The field's schema checked each answer.
  const made = await client.call("customers.create", { params, body: body as never });
  const about = place.source === null ? "" : `, with the approximate coordinates of ${place.source}`;
  tell(stderr, toVisible(`customer ${made.id} ${made.name}, new${about}`));
  return made.id;
}

/** The labels of a contact in the prompts for a customer. */
const said: Readonly<Record<string, string>> = { name: "contact", number: "phone" };

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

/** Approximate coordinates and their source. Asks when neither the ZIP code nor the location has any. */
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
