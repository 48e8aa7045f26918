import type { Client } from "../../client/client.ts";

import { toTypeWords } from "../../sync/rows/type-words.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";

/** Puts the type in place of the words that the job's location, or people in general, have for it. Leaves other words. */
export async function readTypeWord(
  client: Client,
  { field, part }: Flag,
  { [part]: values, params }: CommandInput,
): Promise<void> {
  const word = values?.[field];
  if (!values || typeof word !== "string") return;
  const location =
    params.location_id === undefined
      ? {}
      : await client.call("locations.get", {
          params: { location_id: Number(params.location_id) },
        });
  const type = toTypeWords(location).get(word.trim().toLowerCase());
  // Each part holds what was typed under its fields' names.
  if (type) (values as Record<string, unknown>)[field] = type;
}
