import { usageFailure } from "../../errors/errors.ts";
import { parseAddress } from "../../geography/parse-address.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import type { JsonObject } from "../../models/json.ts";
import { toNameKey } from "../../records/same-name.ts";
import { describeAddress, fillAddress, findHome, isLacking } from "../input/new-address.ts";
import { type AskParts, addressWords, readAddressLine, refuseLine } from "../input/typed-address.ts";
import { say } from "../output/tell.ts";
import type { ResolvingInput } from "./resolve-input.ts";

/** Replaces an address in one line with its ID, and adds a new address to the customer. Other texts are names. */
export async function addTypedAddress(
  { client, context, input, tells }: ResolvingInput,
  ask: AskParts | null,
  isDryRun: boolean,
): Promise<void> {
  const { address_id: line, requested_by: customerId } = input.body ?? {};
  const parts = typeof line === "string" ? parseAddress(line) : null;
  if (typeof line !== "string" || !parts?.locality || !parts.region || typeof customerId !== "number") return;
  const params = { customer_id: String(customerId) };
  const { addresses, name } = await client.call("customers.get", { params });
  const isSame = (address: { line_1: string; postcode: string }) =>
    toNameKey(address.line_1) === toNameKey(parts.line_1) &&
    [undefined, address.postcode.slice(0, 5)].includes(parts.postcode?.slice(0, 5));
  const known = addresses.find((address) => address.is_active && isSame(address));
  if (known) {
    input.body = { ...input.body, address_id: known.id };
    return;
  }
  const whole = await readWholeAddress(line, ask);
  if (isDryRun)
    throw usageFailure(`${name} has no address "${line}".`, "Without --dry-run the command adds it.");
  const { shape } = CreateCustomerAddressModel;
  const filled = await fillAddress(whole, shape, await findHome(client, params), false);
  // The model of the service checks the fields.
  const added = await client.call("addresses.add", { params, body: filled.address as never });
  input.body = { ...input.body, address_id: added.id };
  const about = describeAddress(filled.address, filled.source);
  if (tells) say(context.stderr, `address ${added.id} added to ${name}: ${about}`);
}

/** Reads an address from one line, and asks for missing parts. Throws a usage error where nobody answers. */
export async function readWholeAddress(line: string, ask: AskParts | null): Promise<JsonObject> {
  const { shape } = CreateCustomerAddressModel;
  const read = readAddressLine(line, shape);
  const missing = Object.keys(addressWords).filter((field) => isLacking(read[field]));
  if (missing.length > 0 && !ask) throw refuseLine(line, missing);
  return missing.length > 0 && ask ? ask(read, shape) : read;
}
