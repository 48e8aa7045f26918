import type { Client } from "../../client/client.ts";
import { failure } from "../../errors/errors.ts";
import { countryOf } from "../../geography/parse-address.ts";
import { type Place, toKnownPlace } from "../../geography/projection.ts";
import { regionCodes, stateOfZip } from "../../geography/us-states.ts";
import { openZipCenters } from "../../geography/zip-centers.ts";
import type { JsonObject } from "../../models/json.ts";
import type { Shape } from "../../models/model.ts";
import { toFullPlace } from "../presentation/cells.ts";

/** A new address gets these from its location and customer. */
export interface Home {
  country: string | null;
  hasBilling: boolean;
  /** The location's name and position. */
  name: string;
  place: Place | null;
}

/** Throws a usage error if a required position is unknown. */
export async function fillAddress(
  given: JsonObject,
  shape: Shape,
  home: Home,
  isFirst: boolean,
): Promise<{ address: JsonObject; source: string | null }> {
  const { postcode, region } = given;
  const address: Record<string, unknown> = { ...given };
  const fill = (field: string, value: unknown) => {
    if (field in shape && isLacking(address[field]) && value !== null) address[field] = value;
  };
  fill("country", countryOf(postcode, region) ?? home.country);
  fill("is_billing", isFirst && !home.hasBilling);
  fill("is_shipping", true);
  if (!isLacking(address.latitude) || !isLacking(address.longitude)) return { address, source: null };
  const center = (address.country ?? "US") === "US" ? (await openZipCenters())(postcode) : null;
  if (center) return { address: { ...address, ...center }, source: `ZIP ${String(postcode).slice(0, 5)}` };
  if (home.place) return { address: { ...address, ...home.place }, source: home.name };
  // The address of a location may lack a position.
  if (shape.latitude?.type === "optional") return { address, source: null };
  const where = home.name === "" ? "" : `, and ${home.name} has none that could take its place`;
  throw failure(
    "usage",
    `The position of ${String(postcode)} is not known${where}. Check the ZIP, or add latitude and longitude.`,
  );
}

/** `1745 T St SE, Washington, DC 20020, US, at about 38.860, -76.975 (the center of ZIP 20020)` */
export function describeAddress(address: JsonObject, source: string | null): string {
  const { country, is_billing, latitude, longitude, postcode, region } = address;
  const place = [toFullPlace(address), country, is_billing === true ? "also for billing" : ""]
    .filter(Boolean)
    .join(", ");
  const state = country === "US" ? stateOfZip(String(postcode)) : null;
  const typed = regionCodes.get(String(region).toUpperCase())?.code ?? state;
  // A few border ZIPs deliver into the next state, so this is only a doubt.
  const doubt =
    state === null || state === typed ? "" : `; check the ZIP: ${postcode} is in ${state}, not ${typed}`;
  if (source === null) return place + doubt;
  return `${place}; position about ${latitude}, ${longitude}, from ${source}${doubt}`;
}

export const isLacking = (value: unknown) => value === undefined || value === null;

export async function findHome(client: Client, params: Readonly<Record<string, string>>): Promise<Home> {
  const { customer_id, location_id } = params;
  const customer =
    customer_id === undefined ? null : await client.call("customers.get", { params: { customer_id } });
  const addresses = customer?.addresses.filter(({ is_active }) => is_active) ?? [];
  const id = location_id ?? customer?.locations[0]?.location_id;
  const location =
    id === undefined ? null : await client.call("locations.get", { params: { location_id: String(id) } });
  return {
    country:
      countryOf(location?.address?.postcode, location?.address?.region) ?? addresses[0]?.country ?? null,
    hasBilling: addresses.some(({ is_billing }) => is_billing),
    name: location?.name ?? "",
    place: toKnownPlace(location?.address),
  };
}
