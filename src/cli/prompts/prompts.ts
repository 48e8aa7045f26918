import type { Client } from "../../client/client.ts";
import type { TypedAt } from "../../local-time/read-time.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import type { JsonObject } from "../../models/json.ts";
import type { Shape } from "../../models/model.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { CliContext } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";
import { addressWords, isAddressShape } from "../input/typed-address.ts";
import { toVisible } from "../output/text.ts";
import { askRecord, isPrerequisite, type MakeRecord, openChoices } from "./ask-record.ts";
import { type Asking, askAddress, askField, askOptional, askRestOfAddress, rankOf } from "./ask-value.ts";
import { askYes, openPrompt } from "./open-prompt.ts";

export interface Questions {
  client: Client;
  /** Answers are added to it. */
  input: CommandInput;
  missing: readonly Flag[];
  now: () => Timestamp;
  /** Whether the user may create a customer instead. */
  makesCustomers: boolean;
  /** Asked for only if another field is missing. */
  optional: readonly Flag[];
  /** An earlier answer may have set the location. */
  typedAt: () => Promise<TypedAt>;
}

/** The field's schema checks each answer before the next question. For an ID the user searches for a record. */
export async function askForMissing(
  context: CliContext,
  { client, input, makesCustomers, missing, now, optional, typedAt }: Questions,
): Promise<void> {
  const asking = { prompt: openPrompt(context), now, typedAt };
  // Path parameters, such as the location, come first.
  const rank = ({ field, part }: Flag) => (part === "body" ? rankOf(field) : -1);
  const inOrder = missing.toSorted((a, b) => rank(a) - rank(b));
  const left = new Set(inOrder);
  const isWholeAddress = isAddressShape(Object.fromEntries(inOrder.map(({ field }) => [field, true])));
  const answer = async (flag: Flag): Promise<void> => {
    left.delete(flag);
    if (isWholeAddress && flag.field === "line_1") {
      for (const other of left) if (other.field in addressWords) left.delete(other);
      input.body = { ...input.body, ...(await askAddress(asking, CreateCustomerAddressModel.shape, {})) };
      return;
    }
    // The customer comes first, because its addresses can then be listed.
    for (const other of left) if (isPrerequisite(other.field, flag.field)) await answer(other);
    const make =
      makesCustomers && flag.field === "requested_by"
        ? await openMaker(context, asking, client, input)
        : null;
    const choices = await openChoices(client, flag.field, input, make !== null);
    fillIn(
      input,
      flag,
      choices ? await askRecord(context, asking.prompt, choices, make) : await askField(asking, flag),
    );
  };
  for (const flag of inOrder) if (left.has(flag)) await answer(flag);
  for (const flag of optional) {
    const value = await askOptional(asking, flag);
    if (value !== undefined) fillIn(input, flag, value);
  }
}

/** null while the location is unknown. */
async function openMaker(
  context: CliContext,
  asking: Asking,
  client: Client,
  { params: { location_id: locationId } }: CommandInput,
): Promise<MakeRecord | null> {
  if (locationId === undefined) return null;
  const { makeCustomer } = await import("./make-customer.ts");
  return (typed) => makeCustomer(context, asking, client, { locationId, typed });
}

export function askAddressParts(
  context: CliContext,
  now: () => Timestamp,
  shape: Shape,
  address: JsonObject,
): Promise<JsonObject> {
  const typedAt = () => Promise.reject(new Error("An address has no times."));
  return askRestOfAddress({ prompt: openPrompt(context), now, typedAt }, shape, address, {});
}

/** Enter accepts the preset. `validate` returns true or the problem. */
export async function askTyped(
  context: CliContext,
  message: string,
  { preset, validate = () => true }: { preset?: string; validate?: (text: string) => true | string } = {},
): Promise<string> {
  const prompt = openPrompt(context);
  const question = { message: toVisible(message), validate };
  return prompt.input(preset === undefined ? question : { ...question, default: preset });
}

export function confirm(context: CliContext, message: string): Promise<boolean> {
  return askYes(openPrompt(context), toVisible(message));
}

function fillIn(input: CommandInput, { field, part }: Flag, value: unknown): void {
  if (part === "body") input.body = { ...input.body, [field]: value };
  else input[part][field] = String(value);
}
