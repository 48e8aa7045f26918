import { type Client, untyped } from "../../client/client.ts";
import { idOfListed } from "../../core/listing.ts";
import type { Operation } from "../../core/operation.ts";
import { DispatchError, exitCodes, failure } from "../../errors/errors.ts";
import { loadOperation } from "../../operations/index.ts";
import { kindOfField } from "../../records/find-kind.ts";
import { namesOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import type { CommandInput } from "../input/input.ts";
import { searchNamed } from "../names/search-named.ts";
import { exitCodeOf } from "../outcome/exit-code-of.ts";
import { toVisible } from "../output/text.ts";

/** A record that may be chosen, as people know it. */
export interface FoundRecord {
  id: number | string;
  label: string;
}

/** The records that an id may name, by what was typed of them. */
export interface RecordFinder {
  /** One of them, in words. */
  label: string;
  find(term: string): Promise<FoundRecord[]>;
  /** The only one there is. */
  only: FoundRecord | null;
  /** Whether there is none at all. */
  isEmpty: boolean;
}

/** Whether a field names the record that the records of another field belong to: they can be listed once it is known. */
export function isPrerequisite(field: string, other: string): boolean {
  const within = kindOfField(other)?.within;
  return within !== undefined && kindOfField(field)?.noun === within;
}

/**
 * The finder for an id field, when it names records that have a list and the caller may see it; else null. Throws a
 * usage error when there is nothing to choose from, unless one can be made (`isMade`).
 */
export async function openFinder(
  client: Client,
  field: string,
  input: CommandInput,
  isMade: boolean,
): Promise<RecordFinder | null> {
  const kind = kindOfField(field);
  const found = kind && (await findList(kind, input));
  if (!found) return null;
  const { operation, params } = found;
  const list = (query: Record<string, string>) => listRecords(client, kind, operation, params, query);
  try {
    const first = await list({});
    const [record] = first;
    if (!record && !isMade)
      throw failure(
        "usage",
        `There is no ${kind.label} to choose from; \`dispatch-cli ${kind.noun} --help\` shows how to make one.`,
      );
    const only = record && first.length === 1 ? record : null;
    const hidesInactive = "active" in operation.query;
    const search = (term: string) =>
      searchRecords(client, kind, term, { location: params.location_id, hidesInactive });
    return {
      isEmpty: first.length === 0,
      label: kind.label,
      only,
      find: async (term) =>
        (term.trim() === "" ? null : await search(term)) ??
        findByTerm(term, first, list, "name" in operation.query),
    };
  } catch (error) {
    // A caller who may not list them may still know the id.
    if (error instanceof DispatchError && exitCodeOf(error) === exitCodes.forbidden) return null;
    throw error;
  }
}

interface FoundList {
  operation: Operation;
  params: Record<string, string>;
}

/** The list of a kind whose path is known; a location's own before the tenant's. */
async function findList(kind: RecordKind, input: CommandInput): Promise<FoundList | null> {
  const names = [kind.listAtLocation, kind.list].filter((name) => name !== undefined);
  for (const name of names) {
    const operation = await loadOperation(name);
    const params = Object.keys(operation.params).map((param) => [param, findId(param, input)] as const);
    if (params.every(([, id]) => id !== null))
      return { operation, params: Object.fromEntries(params.map(([param, id]) => [param, String(id)])) };
  }
  return null;
}

/** The id that a path needs: the command's own parameter, else what the body says of a record of that kind. */
function findId(param: string, { body, params }: CommandInput): unknown {
  const names = kindOfField(param)?.namedBy ?? [];
  return (
    params[param] ?? names.map((name) => body?.[name]).find((id) => id !== undefined && id !== null) ?? null
  );
}

/** What was typed, as the search finds it; null for kinds that it does not know. A number may be an id too. */
async function searchRecords(
  client: Client,
  kind: RecordKind,
  term: string,
  { hidesInactive, location }: { hidesInactive: boolean; location: string | undefined },
): Promise<FoundRecord[] | null> {
  const matched = await searchNamed(
    client,
    kind,
    term,
    location === undefined ? {} : { location_id: location },
  );
  if (matched === null) return null;
  return matched
    .filter(({ isActive }) => isActive || !hidesInactive)
    .map(({ record: { id, names } }) => ({ id: Number(id), label: toLabel(names, id) }));
}

const toLabel = (names: readonly string[], id: number | string) =>
  toVisible([...names, `id ${id}`].join(" · "));

const recordsMax = 1000;

async function listRecords(
  client: Client,
  kind: RecordKind,
  operation: Operation,
  params: Record<string, string>,
  query: Readonly<Record<string, string>>,
): Promise<FoundRecord[]> {
  const active = "active" in operation.query || null;
  const page = { ...query, page_limit: recordsMax, active };
  const records = await untyped(client).list(operation.name, { params, query: page });
  return records.map((record) => {
    const id = idOfListed(operation.reads.listing, record) ?? "";
    return { id, label: toLabel(namesOf(kind, record), id) };
  });
}

/** Looks in what was read of the list; asks the target for the name where the list is longer than that. */
async function findByTerm(
  term: string,
  first: readonly FoundRecord[],
  list: (query: Record<string, string>) => Promise<FoundRecord[]>,
  hasNames: boolean,
): Promise<FoundRecord[]> {
  const wanted = term.trim().toLowerCase();
  const found = first.filter(({ label }) => label.toLowerCase().includes(wanted));
  if (first.length < recordsMax || wanted === "") return found;
  const named = hasNames ? await list({ name: `*${term.trim()}*` }) : found;
  const isId = /^[1-9]\d{0,14}$/.test(wanted) && !named.some(({ id }) => String(id) === wanted);
  return isId ? [{ id: Number(wanted), label: `the one with the id ${wanted}` }, ...named] : named;
}
