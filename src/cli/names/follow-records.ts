import { readLocations } from "../../board/read-locations.ts";
import type { Client } from "../../client/client.ts";
import { failure, usageFailure } from "../../errors/errors.ts";
import { operationNames } from "../../operations/index.ts";
import { isName } from "../../records/is-id.ts";
import { namesOf } from "../../records/name-record.ts";
import { kindOf } from "../../records/record-kinds.ts";
import type { CommandInput } from "../input/input.ts";
import { isLacking } from "../input/new-address.ts";
import { say } from "../output/tell.ts";
import type { Presentation } from "../presentation/presentation.ts";
import type { Settings } from "../settings.ts";
import type { ResolvingInput } from "./resolve-input.ts";
import { type Resolving, resolveName, toLabel } from "./resolve-name.ts";

/** The default location, else the only one. */
export async function followLocation(
  resolving: ResolvingInput,
  location: Settings["location"],
): Promise<void> {
  const { input } = resolving;
  if (!needsLocation(resolving)) return;
  const id = await usualLocation(resolving, location);
  if (id !== null) input.params.location_id = id;
}

/** Any location works for a path that only lists the tenant's users. */
export async function followAnyLocation(
  resolving: ResolvingInput,
  { limitsToLocation }: Presentation,
): Promise<void> {
  if (!limitsToLocation || !needsLocation(resolving)) return;
  const [first] = await readLocations(resolving.client);
  if (first) resolving.input.params.location_id = String(first.id);
}

/** From the settings, else the only one; null for several. */
export async function usualLocation(
  resolving: Resolving,
  { value }: Settings["location"],
): Promise<string | null> {
  if (value !== null) return resolveLocation(resolving, value);
  const [only, ...others] = await readLocations(resolving.client);
  return only && others.length === 0 ? String(only.id) : null;
}

/** The ID of a location, from its ID or name. */
export async function resolveLocation(resolving: Resolving, text: string): Promise<string> {
  const kind = kindOf("locations");
  return isName(kind, text) ? (await resolveName(resolving, kind, text, {})).id : text;
}

/** Sets the customer's only active shipping address and only location. May prompt or throw a usage error. */
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
      if (tells) say(context.stderr, `address ${label} (the customer's only address)`);
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

const isId = (value: unknown): value is number => typeof value === "number";

/** Throws a usage error with the locations and the command for all. */
export async function refuseLocations(client: Client, asked = ""): Promise<never> {
  const locations = await readLocations(client);
  if (locations.length === 0)
    throw failure("usage", "You cannot see any location. Create one with `dispatch-cli locations create`.");
  const shown = locations.slice(0, shownMax);
  const known = shown.map(({ id, name }) => `${id} (${name})`).join(", ");
  const more = locations.length > shown.length ? `, and ${locations.length - shown.length} more` : "";
  const all = operationNames.find((name) => asked.endsWith(".list") && name === asked.replace("list", "all"));
  const instead = all ? `, or list all with \`${all.replace(".", " ")}\`` : "";
  throw usageFailure(
    `There are several locations: ${known}${more}.`,
    `Name one with --location or DISPATCH_LOCATION${instead}.`,
  );
}

const shownMax = 10;
