import type { AnswerNamed, Client } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { type FoundKind, foundKinds, hitsMax, searchCharsMax } from "../../models/search.ts";
import { type Matched, oneLess, toRanked } from "../../records/match-names.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import type { NamedRecord, Scope } from "./named-record.ts";

type Hit = AnswerNamed<"search.find">["results"][number];

/**
 * The records that words may mean, found by the search, however many there are. null for kinds that it does not know, and
 * on servers that have no search. A customer is looked for at the location first (OP-225).
 */
export async function searchNamed(
  client: Client,
  kind: RecordKind,
  words: string,
  scope: Scope,
): Promise<Matched<NamedRecord>[] | null> {
  const found = foundKinds.find((known) => known === kind.label);
  if (found === undefined) return null;
  const place = scope.location_id ?? null;
  try {
    const there = await search(client, found, words, place);
    const isEnough = place === null || found !== "customer" || there.some(({ match }) => match !== "near");
    return isEnough ? there : await search(client, found, words, null);
  } catch (error) {
    if (error instanceof DispatchError && error.code === "operation_not_found") return null;
    throw error;
  }
}

async function search(client: Client, kind: FoundKind, words: string, place: string | null) {
  const q = [...words].slice(0, searchCharsMax).join("");
  const query = { kind, limit: hitsMax, location_id: place, q };
  const { nearest, results } = await client.call("search.find", { query });
  // An id is no name: whoever means it has been understood before.
  const named = [...results, ...nearest].filter(({ matched }) => matched !== "id");
  return toRanked(named.map(toMatched));
}

function toMatched(hit: Hit): Matched<NamedRecord> {
  const { id, is_active, location_id, match, matched } = hit;
  const params: Scope = location_id === null ? {} : { location_id: String(location_id) };
  return {
    record: { id: String(id), names: toNames(hit), params },
    // A contact, an e-mail address or an address names its customer less than the customer's own name.
    match: ownTexts.includes(matched) ? match : oneLess(match),
    isActive: is_active,
  };
}

const ownTexts: readonly string[] = [
  ...["name", "phone", "reference_number", "account_number_1", "account_number_2"],
];

/** What the record is called, and what tells it from others of that name: where it is, and what was asked for of it. */
function toNames({
  address,
  contact_name,
  customer_name,
  kind,
  matched,
  matched_text,
  name,
  next_job,
}: Hit): string[] {
  const shown = [name, address, contact_name, customer_name];
  const beside = matched === "name" || shown.includes(matched_text) ? null : matched_text;
  const day = kind === "job" ? (next_job?.schedule_date?.slice(0, 10) ?? null) : null;
  return [name, customer_name, kind === "customer" ? address : null, day, beside].filter(
    (text) => text !== null && text !== "",
  ) as string[];
}
