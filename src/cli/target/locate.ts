import type { Client } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { type PlacedKind, placedKinds } from "../../models/record-place.ts";

import type { RecordKind } from "../../records/record-kind.ts";

/** null for a missing record; undefined for kinds without path parameters, or if the caller may not read the record. */
export async function locate(
  client: Client,
  kind: RecordKind,
  id: string,
): Promise<Readonly<Record<string, string>> | null | undefined> {
  if (!isPlaced(kind.noun)) return undefined;
  try {
    const query = { kind: kind.noun, record_id: Number(id) };
    const place = await client.call("locations.of", { query });
    const known = Object.entries(place).filter(([, value]) => value !== null);
    return Object.fromEntries(known.map(([param, value]) => [param, String(value)]));
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    if (error.code === "record_not_found") return null;
    // The command's own call reports this error.
    if (error.code === "role_not_allowed") return undefined;
    throw error;
  }
}

const isPlaced = (noun: string): noun is PlacedKind => placedKinds.some((kind) => kind === noun);
