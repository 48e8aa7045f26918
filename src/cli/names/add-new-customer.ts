import { type Client, untyped } from "../../client/client.ts";
import type { Operation } from "../../core/operation.ts";
import { DispatchError, throwIfAny, usageFailure, type Violation } from "../../errors/errors.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { JsonObject } from "../../models/json.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { toNameKey } from "../../records/same-name.ts";
import type { CliContext, OptionValues } from "../context.ts";
import type { CommandInput } from "../input/input.ts";
import { describeAddress, fillAddress, findHome } from "../input/new-address.ts";
import { type AskParts, addressExample } from "../input/typed-address.ts";
import { say } from "../output/tell.ts";
import { readWholeAddress } from "./add-typed-address.ts";
import { findDouble } from "./find-double.ts";
import { searchRecords } from "./record-finder.ts";

/** A caller who is not a customer yet. */
export interface NewCustomer {
  address: JsonObject;
  name: string;
  phone: string | null;
}

/** Reads the options of a job's new customer. Throws a usage error for options that contradict. */
export async function readNewCustomer(
  { newCustomer, phone }: OptionValues,
  { address_id: address, requested_by: customer }: Readonly<Record<string, unknown>>,
  ask: AskParts | null,
): Promise<NewCustomer> {
  if (newCustomer === undefined)
    throw usageFailure("--phone needs --new-customer.", "Name the new customer with --new-customer.");
  const name = String(newCustomer).trim();
  if (name === "") throw usageFailure("--new-customer has no name.", 'Write it like -n "Bo Lin".');
  if (customer !== undefined)
    throw usageFailure("--new-customer and --customer contradict each other.", "Keep one of them.");
  if (typeof address !== "string")
    throw usageFailure("--new-customer needs --address.", `Write it in one line, like "${addressExample}".`);
  const whole = await readWholeAddress(address, ask);
  return { address: whole, name, phone: phone === undefined ? null : String(phone) };
}

/** The job of a new customer, without the customer. */
interface Order {
  dryRun: boolean;
  input: CommandInput;
  operation: Operation;
  /** Report the customer on standard error. */
  tells: boolean;
  version: ApiVersion;
}

/**
 * Checks the job, creates the customer at its location, and returns the input with both. A dry run creates no customer
 * and returns the job as JSON instead. Throws for a name that a customer has, and for a job that would be refused.
 */
export async function addNewCustomer(
  { stderr }: CliContext,
  { address: typed, name, phone }: NewCustomer,
  order: Order,
  client: Client,
): Promise<{ input: CommandInput; text: string | null }> {
  const { dryRun, input, tells } = order;
  const params = { location_id: String(input.params.location_id) };
  const known = await searchRecords(client, kindOf("customers"), name, {});
  const same = known?.find(({ record }) => toNameKey(record.names[0] ?? "") === toNameKey(name));
  if (same)
    throw usageFailure(
      `There is a customer ${same.record.id} ${same.record.names.join(", ")}.`,
      `Use --customer ${same.record.id}, or create another with \`dispatch-cli customers create\`.`,
    );
  const home = await findHome(client, params);
  const { address, source } = await fillAddress(typed, CreateCustomerAddressModel.shape, home, true);
  const checked = await checkJob(client, order, params);
  const body = { addresses: [address], contacts: phone === null ? [] : [{ name, number: phone }], name };
  const double = await findDouble(client, body, dryRun);
  // The service checks the fields.
  const made = await client.call("customers.create", { params, body: body as never, dryRun });
  const number = dryRun ? "" : `${made.id} `;
  if (tells) {
    say(stderr, `customer ${number}${made.name}, new; ${describeAddress(address, source)}`);
    if (double !== null) say(stderr, double);
  }
  const own = { address_id: made.addresses[0]?.id, requested_by: made.id };
  const text = dryRun ? JSON.stringify({ ...input.body, ...checked, ...own, customer: made }) : null;
  return { input: { ...input, body: { ...input.body, ...own } }, text };
}

/** Tries the job without storing it, for another customer, because its own does not exist yet; null without one. */
async function checkJob(
  client: Client,
  { input, operation, version }: Order,
  params: { location_id: string },
): Promise<JsonObject | null> {
  const { results } = await client.call("locations.customers", {
    params,
    query: { active: true, page_limit: 1 },
  });
  const [other] = results;
  const own = { address_id: other?.addresses[0]?.id ?? 1, requested_by: other?.id ?? 1 };
  const body = { ...input.body, ...own };
  try {
    return (await untyped(client).call(operation.name, {
      ...input,
      body,
      dryRun: true,
      version,
    })) as JsonObject;
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    const isOfOther = ({ field }: Violation) => /\.(?:address_id|requested_by)$/.test(field ?? "");
    throwIfAny(error.violations.filter((violation) => !isOfOther(violation)));
    return null;
  }
}
