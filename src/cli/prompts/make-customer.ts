import type { Client } from "../../client/client.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import { CreateCustomerContactModel } from "../../models/contact.ts";
import { CreateCustomerModel } from "../../models/customer.ts";
import type { JsonObject } from "../../models/json.ts";
import type { CliContext } from "../context.ts";
import { describeAddress, fillAddress, findHome } from "../input/new-address.ts";
import { findDouble } from "../names/find-double.ts";
import { say } from "../output/tell.ts";
import { type Asking, askAddress, askNamed } from "./ask-value.ts";

interface NewCustomer {
  locationId: string;
  typed: string;
}

/** Asks for name, contact, and one address for billing and jobs. The position is approximate. */
export async function makeCustomer(
  { stderr }: CliContext,
  asking: Asking,
  client: Client,
  { locationId, typed }: NewCustomer,
): Promise<number> {
  const params = { location_id: locationId };
  const name = await askNamed(asking, "name", CreateCustomerModel.shape.name, typed);
  const contact = await askFields(asking, CreateCustomerContactModel.shape, ["number", "name"]);
  const { shape } = CreateCustomerAddressModel;
  const home = await findHome(client, params);
  const asked = await askAddress(asking, shape, { country: home.country });
  const { address, source } = await fillAddress(asked, shape, home, true);
  const body = {
    addresses: [address],
    contacts: Object.keys(contact).length === 0 ? [] : [contact],
    name,
  };
  const double = typeof name === "string" ? await findDouble(client, { ...body, name }, false) : null;
  // The field's schema checked each answer.
  const made = await client.call("customers.create", { params, body: body as never });
  say(stderr, `customer ${made.id} ${made.name}, new; ${describeAddress(address, source)}`);
  if (double !== null) say(stderr, double);
  return made.id;
}

const said: Readonly<Record<string, string>> = { name: "contact", number: "phone" };

async function askFields<Field extends string>(
  asking: Asking,
  shape: Readonly<Record<Field, Parameters<typeof askNamed>[2]>>,
  fields: readonly Field[],
): Promise<JsonObject> {
  const values: Record<string, string> = {};
  for (const field of fields) {
    const value = await askNamed(asking, said[field] ?? field, shape[field], null);
    if (typeof value === "string") values[field] = value;
  }
  return values;
}
