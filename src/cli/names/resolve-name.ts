import type { Client } from "../../client/client.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { likelyMatches, type Matched, onlyMatch } from "../../records/match-names.ts";
import type { CliContext } from "../context.ts";
import { say } from "../output/tell.ts";
import { findRecords, type ListedKind, type NamedRecord, type Scope } from "./record-finder.ts";

/** What resolving a name needs besides it. */
export interface Resolving {
  context: CliContext;
  client: Client;
  /** Asks a person which of several is meant; null where there is nobody to ask. */
  choose: ((question: string, likely: readonly Matched<NamedRecord>[]) => Promise<NamedRecord>) | null;
  /** Which record was taken is said on standard error: answers for programs are not accompanied. */
  tells: boolean;
}

/**
 * The record of a kind that words name, and says which one that is. Of several a person chooses. Throws name_ambiguous
 * where nobody can be asked, and name_not_found with the nearest.
 */
export async function resolveName(
  resolving: Resolving,
  kind: ListedKind,
  words: string,
  scope: Scope,
): Promise<NamedRecord> {
  const matched = await findRecords(resolving.client, kind, words, scope);
  const only = onlyMatch(matched)?.record;
  if (only) {
    if (resolving.tells)
      say(resolving.context.stderr, `${toLabelOfKind(kind)} ${toLabel(withoutTimes(only))}`);
    return only;
  }
  const likely = likelyMatches(matched);
  if (likely.length === 0 || likely[0]?.match === "near") throw notFound(kind, words, matched, scope);
  if (!resolving.choose) throw ambiguous(kind, words, likely);
  return resolving.choose(`Which ${toLabelOfKind(kind)} is "${words}"?`, likely);
}

/** What tells several apart may be a day or a moment of the wire; of one that was found, the answer tells when it is. */
function withoutTimes({ id, names }: NamedRecord): Pick<NamedRecord, "id" | "names"> {
  return { id, names: names.filter((name) => !/^\d{4}-\d\d-\d\d(?:T|$)/.test(name)) };
}

/** The label of one record of a kind; "user or driver" for a field that names a person. */
export function toLabelOfKind({ also, label }: ListedKind): string {
  return also ? `${label} or ${also.label}` : label;
}

const nounsOf = ({ also, noun }: ListedKind) => (also ? [noun, also.noun] : [noun]);

/** The id of a record and what it is called. */
export function toLabel({ id, names }: Pick<NamedRecord, "id" | "names">): string {
  const [name = "", ...beside] = names;
  return `${id} ${name}${beside.length > 0 ? ` (${beside.join(", ")})` : ""}`.trimEnd();
}

const shownMax = 10;

function ambiguous(kind: ListedKind, words: string, likely: readonly Matched<NamedRecord>[]) {
  const plural = nounsOf(kind).join(" or ").replaceAll("-", " ");
  const others = likely.length > shownMax ? `, and ${likely.length - shownMax} more` : "";
  const known = toList(likely.slice(0, shownMax)) + others;
  return failure(
    "name_ambiguous",
    `"${words}" may be any of ${likely.length} ${plural}: ${known}.`,
    toLabelOfKind(kind),
  );
}

function notFound(
  kind: ListedKind,
  words: string,
  near: readonly Matched<NamedRecord>[],
  { customer_id: customerId }: Scope,
) {
  const isNear = near.length > 0;
  const nearest = isNear ? ` The nearest: ${toList(near.slice(0, nearestMax))}.` : "";
  const label = toLabelOfKind(kind);
  const detail = `There is no ${label} "${words}".${nearest}`;
  const whose = kind.within === "customers" && customerId !== undefined ? ` --customer ${customerId}` : "";
  const list = nounsOf(kind)
    .map((noun) => `\`dispatch-cli ${noun} list${whose}\``)
    .join(" or ");
  const fix = isNear
    ? `Take one of the nearest, or look with ${list}.`
    : `Look with ${list} or \`dispatch-cli find\`.`;
  return new DispatchError([{ code: "name_not_found", detail, field: label, fix }]);
}

const nearestMax = 3;

const toList = (matched: readonly Matched<NamedRecord>[]) =>
  matched.map(({ isActive, record }) => toLabel(record) + (isActive ? "" : ", out of use")).join("; ");
