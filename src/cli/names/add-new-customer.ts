import { type Client, untyped } from "../../client/client.ts";
import { DispatchError, throwIfAny, usageFailure, type Violation } from "../../errors/errors.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import type { JsonObject } from "../../models/json.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { toNameKey } from "../../records/same-name.ts";
import type { CliContext, OptionValues } from "../context.ts";
import type { CommandInput } from "../input/input.ts";
import { describeAddress, fillAddress, findHome, isLacking } from "../input/new-address.ts";
import { addressExample, addressWords, readAddressLine } from "../input/typed-address.ts";
import type { ParsedCommand } from "../operation-command/parse.ts";
import { say } from "../output/tell.ts";
import { searchRecords } from "./record-finder.ts";

/** A caller who is not a customer yet. */
export interface NewCustomer {
  address: JsonObject;
  name: string;
  phone: string | null;
}

/** Throws a usage error for contradicting options. */
export function readNewCustomer(
  { dryRun, newCustomer, phone }: OptionValues,
  { address_id: address, requested_by: customer }: Readonly<Record<string, unknown>>,
): NewCustomer {
  if (newCustomer === undefined)
    throw usageFailure("--phone needs --new-customer.", "Name the new customer with --new-customer.");
  if (customer !== undefined)
    throw usageFailure("--new-customer and --customer contradict each other.", "Keep one of them.");
  if (dryRun === true)
    throw usageFailure(
      "--new-customer stores a customer first, so it has no --dry-run.",
      "Leave one of them out.",
    );
  if (typeof address !== "string")
    throw usageFailure("--new-customer needs --address.", `Write it in one line, like "${addressExample}".`);
  const read = readAddressLine(address, CreateCustomerAddressModel.shape);
  const missing = Object.entries(addressWords).filter(([field]) => isLacking(read[field]));
  if (missing.length > 0)
    throw usageFailure(
      `"${address}" has no ${missing.map(([field, word]) => `${word} (${field})`).join(", ")}.`,
      `Write the whole address, like "${addressExample}".`,
    );
  return { address: read, name: String(newCustomer), phone: phone === undefined ? null : String(phone) };
}

/**
 * Checks the job, creates the customer at its location, and returns the input with both. Throws for a name that a
 * customer has, and for a job that would be refused.
 */
export async function addNewCustomer(
  { stderr }: CliContext,
  command: Pick<ParsedCommand, "caller" | "input" | "operation" | "output" | "version">,
  client: Client,
): Promise<CommandInput> {
  const { caller, input, output } = command;
  if (!caller) return input;
  const { name, phone } = caller;
  const params = { location_id: String(input.params.location_id) };
  const known = await searchRecords(client, kindOf("customers"), name, {});
  const same = known?.find(({ record }) => toNameKey(record.names[0] ?? "") === toNameKey(name));
  if (same)
    throw usageFailure(
      `There is a customer ${same.record.id} ${same.record.names.join(", ")}.`,
      `Use --customer ${same.record.id}, or create another with \`dispatch-cli customers create\`.`,
    );
  const home = await findHome(client, params);
  const { address, source } = await fillAddress(caller.address, CreateCustomerAddressModel.shape, home, true);
  await checkJob(client, command, params);
  const body = { addresses: [address], contacts: phone === null ? [] : [{ name, number: phone }], name };
  // The service checks the fields.
  const made = await client.call("customers.create", { params, body: body as never });
  if (output === null || output.form === "table")
    say(stderr, `customer ${made.id} ${made.name}, new; ${describeAddress(address, source)}`);
  return { ...input, body: { ...input.body, address_id: made.addresses[0]?.id, requested_by: made.id } };
}

/** Tries the job without storing it, for another customer, because its own does not exist yet. */
async function checkJob(
  client: Client,
  { input, operation, version }: Pick<ParsedCommand, "input" | "operation" | "version">,
  params: { location_id: string },
): Promise<void> {
  const { results } = await client.call("locations.customers", { params, query: { active: true, page_limit: 1 } });
  const [other] = results;
  const own = { address_id: other?.addresses[0]?.id ?? 1, requested_by: other?.id ?? 1 };
  const body = { ...input.body, ...own };
  try {
    await untyped(client).call(operation.name, { ...input, body, dryRun: true, version });
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    const isOfOther = ({ field }: Violation) => /\.(?:address_id|requested_by)$/.test(field ?? "");
    throwIfAny(error.violations.filter((violation) => !isOfOther(violation)));
  }
}
