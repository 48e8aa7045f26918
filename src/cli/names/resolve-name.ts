import type { Client } from "../../client/client.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { isNumber, likelyMatches, type Matched, onlyMatch } from "../../records/match-names.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { CliContext } from "../context.ts";
import { say } from "../output/tell.ts";
import { findRecords, type ListedKind, type NamedRecord, type Scope } from "./record-finder.ts";

export interface Resolving {
  context: CliContext;
  client: Client;
  /** null without a terminal. */
  choose: ((question: string, likely: readonly Matched<NamedRecord>[]) => Promise<NamedRecord>) | null;
  /** The record is a value of a change, so that a new record may be what the user wants. */
  mayCreate?: boolean;
  /** The command destroys data, so that a number is only an ID, not also another number of a record. */
  isFinal?: boolean;
  /** Reports the found record on standard error, except for programs. */
  tells: boolean;
}

/** Of several matches, the user chooses, or without a terminal throws name_ambiguous. Throws name_not_found. */
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
  if (likely.length === 0 || likely[0]?.match === "near")
    throw notFound(kind, words, matched, { mayCreate: matched.length === 0, ...resolving, scope });
  if (!resolving.choose) throw ambiguous(kind, words, likely);
  return resolving.choose(`Which ${toLabelOfKind(kind)} is "${words}"?`, likely);
}

/** Removes days and times, which the response shows. */
function withoutTimes({ id, names }: NamedRecord): Pick<NamedRecord, "id" | "names"> {
  return { id, names: names.filter((name) => !/^\d{4}-\d\d-\d\d(?:T|$)/.test(name)) };
}

/** "user or driver" for a field that names a person. */
export function toLabelOfKind({ also, label }: ListedKind): string {
  return also ? `${label} or ${also.label}` : label;
}

const nounsOf = ({ also, noun }: ListedKind) => (also ? [noun, also.noun] : [noun]);

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
    `"${words}" matches ${likely.length} ${plural}: ${known}.`,
    toLabelOfKind(kind),
  );
}

function notFound(
  kind: ListedKind,
  words: string,
  near: readonly Matched<NamedRecord>[],
  { mayCreate, scope: { customer_id: customerId } }: { mayCreate: boolean; scope: Scope },
) {
  const isNear = near.length > 0;
  const [best] = near;
  const nearest = isNear ? ` Closest: ${toList(near.slice(0, nearestMax))}.` : "";
  const label = toLabelOfKind(kind);
  const detail = `There is no ${label} "${words}".${nearest}`;
  const whose = kind.within === "customers" && customerId !== undefined ? ` --customer ${customerId}` : "";
  const list = nounsOf(kind)
    .map((noun) => `\`dispatch-cli ${noun} list${whose}\``)
    .join(" or ");
  const create = mayCreate ? toCreation(kind, words) : "";
  const fix = isNear
    ? `Write ${toShellWord(best?.record.names[0] ?? "")}, or list all with ${list}.${create}`
    : `List all with ${list}, or search with \`dispatch-cli find\`.${create}`;
  return new DispatchError([{ code: "name_not_found", detail, field: label, fix }]);
}

/** Empty for numbers, and for kinds without a name. */
function toCreation({ also, create, knownBy, noun }: ListedKind, words: string): string {
  if (!create || also || knownBy?.[0] !== "name" || isNumber(words)) return "";
  return ` Create it with \`dispatch-cli ${noun} create --name ${toShellWord(words)}\`.`;
}

const nearestMax = 3;

const toList = (matched: readonly Matched<NamedRecord>[]) =>
  matched.map(({ isActive, record }) => toLabel(record) + (isActive ? "" : ", inactive")).join("; ");
