import type { Client } from "../../client/client.ts";
import type { TypedAt } from "../../local-time/read-time.ts";

import type { Timestamp } from "../../runtime/clock.ts";
import type { CliContext } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";
import { toVisible } from "../output/text.ts";
import { askRecord, type MakeRecord } from "./ask-record.ts";
import { type Asking, askField, askOptional, rankOf } from "./ask-value.ts";
import { isPrerequisite, openFinder } from "./find-records.ts";
import { askYes, openPrompt } from "./open-prompt.ts";

/** What to ask, and what helps to ask it. */
export interface Questions {
  client: Client;
  /** The input so far; answers are filled in here. */
  input: CommandInput;
  missing: readonly Flag[];
  /** The time by which dates are judged. */
  now: () => Timestamp;
  /** Whether a new customer may be made where none that is known is meant. */
  makesCustomers: boolean;
  /** Fields that may be left out: they are asked for only where something else is missing. */
  optional: readonly Flag[];
  /** How times are understood that are typed now: an answer before may have been the location. */
  typedAt: () => Promise<TypedAt>;
}

/**
 * Asks for what is missing. The field's own model checks each answer before the next question; a person searches for a
 * record instead of typing its id.
 */
export async function askForMissing(
  context: CliContext,
  { client, input, makesCustomers, missing, now, optional, typedAt }: Questions,
): Promise<void> {
  const asking = { prompt: openPrompt(context), now, typedAt };
  // A path parameter, such as the location, comes before the fields of the body.
  const rank = ({ field, part }: Flag) => (part === "body" ? rankOf(field) : -1);
  const inOrder = missing.toSorted((a, b) => rank(a) - rank(b));
  const left = new Set(inOrder);
  const answer = async (flag: Flag): Promise<void> => {
    left.delete(flag);
    // The customer comes before its address: its addresses can be listed then.
    for (const other of left) if (isPrerequisite(other.field, flag.field)) await answer(other);
    const make =
      makesCustomers && flag.field === "requested_by"
        ? await openMaker(context, asking, client, input)
        : null;
    const finder = await openFinder(client, flag.field, input, make !== null);
    fillIn(
      input,
      flag,
      finder ? await askRecord(context, asking.prompt, finder, make) : await askField(asking, flag),
    );
  };
  for (const flag of inOrder) if (left.has(flag)) await answer(flag);
  for (const flag of optional) {
    const value = await askOptional(asking, flag);
    if (value !== undefined) fillIn(input, flag, value);
  }
}

/** What makes a customer of the job's location; null while that is not known. */
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

/** Asks for the name of what is lost. */
export async function askTyped(context: CliContext, message: string): Promise<string> {
  const prompt = openPrompt(context);
  const { name } = await prompt([{ type: "input", name: "name", message: toVisible(message) }]);
  return name;
}

/** Asks whether to go on with something severe. */
export function confirm(context: CliContext, message: string): Promise<boolean> {
  return askYes(openPrompt(context), toVisible(message));
}

function fillIn(input: CommandInput, { field, part }: Flag, value: unknown): void {
  if (part === "body") input.body = { ...input.body, [field]: value };
  else input[part][field] = String(value);
}
