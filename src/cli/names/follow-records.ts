import type { Client } from "../../client/client.ts";
import { failure, usageFailure } from "../../errors/errors.ts";

import { operationNames } from "../../operations/index.ts";
import { isName } from "../../records/is-id.ts";
import { namesOf } from "../../records/name-record.ts";
import { kindOf } from "../../records/record-kinds.ts";
import type { CommandInput } from "../input/input.ts";
import { say } from "../output/tell.ts";
import type { Settings } from "../settings.ts";
import { readLocations } from "../target/locations.ts";
import type { ResolvingInput } from "./resolve-input.ts";
import { type Resolving, resolveName, toLabel } from "./resolve-name.ts";

/**
 * Fills in the location of a path that no record told: the one that the environment or a profile names, else the only one
 * that there is.
 */
export async function followLocation(
  resolving: ResolvingInput,
  location: Settings["location"],
): Promise<void> {
  const { input } = resolving;
  if (!needsLocation(resolving)) return;
  const id = await usualLocation(resolving, location);
  if (id !== null) input.params.location_id = id;
}

/** The location where nothing else says one: that of the settings, else the only one there is; null with several. */
export async function usualLocation(
  resolving: Resolving,
  { value }: Settings["location"],
): Promise<string | null> {
  if (value !== null) return resolveLocation(resolving, value);
  const [only, ...others] = await readLocations(resolving.client);
  return only && others.length === 0 ? String(only.id) : null;
}

/** The id of a location that is named, by its id or by its name. */
export async function resolveLocation(resolving: Resolving, text: string): Promise<string> {
  const kind = kindOf("locations");
  return isName(kind, text) ? (await resolveName(resolving, kind, text, {})).id : text;
}

/**
 * Fills in what follows from the customer of a new job: its only active shipping address, and its location where it is a
 * customer of one only. Throws a usage error that lists the locations where nobody can be asked for one.
 */
export async function followCustomer(resolving: ResolvingInput): Promise<void> {
  const { client, choose, context, input, operation, tells } = resolving;
  const { address_id, requested_by } = input.body ?? {};
  const lacksAddress = isLacking(address_id) && "address_id" in (operation.body?.shape ?? {});
  if (isId(requested_by) && (lacksAddress || needsLocation(resolving))) {
    const { addresses, locations } = await client.call("customers.get", {
      params: { customer_id: requested_by },
    });
    const places = locations.filter(({ is_active }) => is_active);
    if (needsLocation(resolving) && places.length === 1)
      input.params.location_id = String(places[0]?.location_id);
    const [only, ...others] = addresses.filter(({ is_active, is_shipping }) => is_active && is_shipping);
    if (lacksAddress && only && others.length === 0) {
      input.body = { ...input.body, address_id: only.id };
      const label = toLabel({ id: String(only.id), names: namesOf(kindOf("addresses"), only) });
      if (tells) say(context.stderr, `address ${label}, the customer's only one`);
    }
  }
  if (needsLocation(resolving) && !choose) await refuseLocations(client, operation.name);
}

const needsLocation = ({
  input,
  operation,
}: {
  input: CommandInput;
  operation: ResolvingInput["operation"];
}) => "location_id" in operation.params && isLacking(input.params.location_id);

const isLacking = (value: unknown) => value === undefined || value === null;

const isId = (value: unknown): value is number => typeof value === "number";

/** Throws a usage error that lists the locations, and names the command that needs none of them. */
export async function refuseLocations(client: Client, asked = ""): Promise<never> {
  const locations = await readLocations(client);
  if (locations.length === 0)
    throw failure("usage", "The tenant has no location that you can see; `locations create` makes one.");
  const shown = locations.slice(0, shownMax);
  const known = shown.map(({ id, name }) => `${id} (${name})`).join(", ");
  const more = locations.length > shown.length ? `, and ${locations.length - shown.length} more` : "";
  const all = operationNames.find((name) => asked.endsWith(".list") && name === asked.replace("list", "all"));
  const instead = all ? `; \`${all.replace(".", " ")}\` lists those of all` : "";
  throw usageFailure(
    `There are several locations: ${known}${more}.`,
    `Name one with --location or DISPATCH_LOCATION${instead}.`,
  );
}

const shownMax = 10;
