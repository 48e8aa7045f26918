import type { Client } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { type PlacedKind, placedKinds } from "../../models/record-place.ts";

import type { RecordKind } from "../../records/record-kind.ts";

/**
 * Where a record of an id belongs, as path parameters. null when there is no such record; undefined for kinds that belong
 * nowhere, and where the caller may not read such records.
 */
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
    // The command's own call says that the caller may not read such records.
    if (error.code === "role_not_allowed") return undefined;
    throw error;
  }
}

const isPlaced = (noun: string): noun is PlacedKind => placedKinds.some((kind) => kind === noun);
