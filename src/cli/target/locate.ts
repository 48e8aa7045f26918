import type { Caller } from "../../core/caller.ts";
import { DispatchError } from "../../errors/errors.ts";
import { type PlacedKind, placedKinds } from "../../models/record-place.ts";
import { createClient } from "../../operations/client.ts";
import type { RecordKind } from "../../records/record-kind.ts";

/**
 * Where a record of an id belongs, as path parameters. null when there is no such record; undefined where that cannot be
 * told: of kinds that belong nowhere, and by servers of earlier programs.
 */
export async function locate(
  caller: Caller,
  kind: RecordKind,
  id: string,
): Promise<Readonly<Record<string, string>> | null | undefined> {
  if (!isPlaced(kind.noun)) return undefined;
  try {
    const query = { kind: kind.noun, record_id: Number(id) };
    const place = await createClient(caller).call("locations.of", { query });
    const known = Object.entries(place).filter(([, value]) => value !== null);
    return Object.fromEntries(known.map(([param, value]) => [param, String(value)]));
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    if (error.code === "record_not_found") return null;
    // Who may not read such records is told so by what the command itself calls.
    if (error.code === "operation_not_found" || error.code === "role_not_allowed") return undefined;
    throw error;
  }
}

const isPlaced = (noun: string): noun is PlacedKind => placedKinds.some((kind) => kind === noun);
