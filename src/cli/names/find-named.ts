import type { Caller } from "../../core/caller.ts";
import { createClient } from "../../operations/client.ts";
import { type Matched, toRanked } from "../../records/match-names.ts";
import { listNamed } from "./list-named.ts";
import type { ListedKind, NamedRecord, Scope } from "./named-record.ts";
import { searchNamed } from "./search-named.ts";

/** The records of a kind that words may mean, the best first. With a scope only those of that location or customer. */
export async function findNamed(
  caller: Caller,
  kind: ListedKind,
  words: string,
  scope: Scope,
): Promise<Matched<NamedRecord>[]> {
  const kinds = kind.also ? [kind, kind.also] : [kind];
  const found = await Promise.all(
    kinds.map(
      async (one) =>
        (await searchNamed(createClient(caller), one, words, scope)) ?? listNamed(caller, one, words, scope),
    ),
  );
  return toRanked(found.flat());
}
