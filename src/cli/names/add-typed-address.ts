import { usageFailure } from "../../errors/errors.ts";
import { parseAddress } from "../../geography/parse-address.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import { toNameKey } from "../../records/same-name.ts";
import { describeAddress, fillAddress, findHome } from "../input/new-address.ts";
import { addressWords } from "../input/typed-address.ts";
import { say } from "../output/tell.ts";
import type { ResolvingInput } from "./resolve-input.ts";

/** Replaces an address in one line with its ID, and adds a new address to the customer. Other texts are names. */
export async function addTypedAddress(
  { client, context, input, tells }: ResolvingInput,
  isDryRun: boolean,
): Promise<void> {
  const { address_id: line, requested_by: customerId } = input.body ?? {};
  const parts = typeof line === "string" ? parseAddress(line) : null;
  if (!parts || typeof customerId !== "number") return;
  if (Object.keys(addressWords).some((field) => !(field in parts))) return;
  const params = { customer_id: String(customerId) };
  const { addresses, name } = await client.call("customers.get", { params });
  const keyOf = (address: { line_1: string; postcode?: string }) =>
    `${toNameKey(address.line_1)} ${address.postcode?.slice(0, 5)}`;
  const known = addresses.find((address) => address.is_active && keyOf(address) === keyOf(parts));
  if (known) {
    input.body = { ...input.body, address_id: known.id };
    return;
  }
  if (isDryRun)
    throw usageFailure(`${name} has no address "${line}".`, "Without --dry-run the command adds it.");
  const { shape } = CreateCustomerAddressModel;
  const filled = await fillAddress({ ...parts }, shape, await findHome(client, params), false);
  // The service checks the fields.
  const added = await client.call("addresses.add", { params, body: filled.address as never });
  input.body = { ...input.body, address_id: added.id };
  const about = describeAddress(filled.address, filled.source);
  if (tells) say(context.stderr, `address ${added.id} added to ${name}: ${about}`);
}
