import type { Client } from "../../client/client.ts";

import { type Matched, toRanked } from "../../records/match-names.ts";
import { listNamed } from "./list-named.ts";
import type { ListedKind, NamedRecord, Scope } from "./named-record.ts";
import { searchNamed } from "./search-named.ts";

/** The records of a kind that words may mean, the best first. With a scope only those of that location or customer. */
export async function findNamed(
  client: Client,
  kind: ListedKind,
  words: string,
  scope: Scope,
): Promise<Matched<NamedRecord>[]> {
  const find = async (one: ListedKind) =>
    (await searchNamed(client, one, words, scope)) ?? listNamed(client, one, words, scope);
  if (!kind.also) return find(kind);
  const [users, drivers] = await Promise.all([find(kind), find(kind.also)]);
  // A driver who signs in is one person under two ids.
  const ids = drivers.map(({ record }) => record.id);
  return toRanked([...users.filter(({ record: { driverId = "" } }) => !ids.includes(driverId)), ...drivers]);
}
