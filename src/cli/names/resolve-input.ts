import type { Operation } from "../../core/operation.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { kindsOfField } from "../../records/find-kind.ts";
import { isEither, isId, isName } from "../../records/is-id.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { kindOf } from "../../records/record-kinds.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";
import { locate } from "../target/locate.ts";
import { type ListedKind, type Scope, toScope } from "./record-finder.ts";
import { type Resolving, resolveName, toLabelOfKind } from "./resolve-name.ts";

export interface ResolvingInput extends Resolving {
  operation: Operation;
  /** Names are replaced here. */
  input: CommandInput;
}

/** `params` are the path parameters that follow from the record. */
export interface OwnRecord {
  id: string;
  params: Scope;
  /** Among several records, the others still run. */
  error?: DispatchError;
}

export function mayBeName(field: string, value: unknown): boolean {
  const kind = namedKind(field);
  return kind !== null && toTexts(value).some((text) => isName(kind, text) || isEither(kind, text));
}

/** Resolves the location first. */
export async function resolveParams(
  { input: { params }, ...resolving }: ResolvingInput,
  own: string | null,
): Promise<void> {
  const isLocation = (param: string) => Number(param === "location_id");
  const names = Object.keys(params).filter((param) => param !== own);
  for (const param of names.toSorted((a, b) => isLocation(b) - isLocation(a))) {
    const kind = namedKind(param);
    const text = params[param];
    if (kind && text !== undefined) params[param] = (await resolveText(resolving, kind, text, params)).id;
  }
}

/** Each with its location or customer. */
export async function resolveOwn(
  resolving: ResolvingInput,
  param: string,
  words: readonly string[],
): Promise<OwnRecord[]> {
  const { operation, input } = resolving;
  const isFinal = operation.name.endsWith(".erase");
  const kind = namedKind(param);
  const missing = Object.keys(operation.params).filter((name) => name !== param && !input.params[name]);
  const records: OwnRecord[] = [];
  for (const word of words) {
    const found = kind
      ? await resolveText({ ...resolving, isFinal }, kind, word, input.params, missing.length > 0).catch(
          (error: unknown) => toUnresolved(kind, word, words.length, error),
        )
      : { id: word, params: {} };
    records.push({ ...found, params: pick(found.params, missing) });
  }
  const first = records.find(({ error }) => !error);
  // The command looks up names in other fields at the location of the first record.
  Object.assign(input.params, first?.params, { [param]: records.map(({ id }) => id).join(", ") });
  return records;
}

/** A missing ID does not stop the others. A missing name does: it may be a word of an unquoted reason. */
function toUnresolved(kind: RecordKind, id: string, count: number, error: unknown): OwnRecord {
  if (count > 1 && isId(kind, id) && error instanceof DispatchError && error.code === "record_not_found")
    return { id, params: {}, error };
  throw error;
}

/** Resolves customers before their addresses. */
export async function resolveFields(resolving: ResolvingInput, flags: readonly Flag[]): Promise<void> {
  const isPart = ({ field }: Flag) => Number(namedKind(field)?.within === "customers");
  for (const { field, part } of flags.toSorted((a, b) => isPart(a) - isPart(b))) {
    const kind = namedKind(field);
    const values = resolving.input[part];
    const value = values?.[field];
    if (!kind || !values || !mayBeName(field, value)) continue;
    const scope = toScope(resolving.input, kind);
    const toId = async (text: string) => {
      const { id } = await resolveText({ ...resolving, mayCreate: part === "body" }, kind, text, scope);
      return part === "body" && /^\d+$/.test(id) ? Number(id) : id;
    };
    if (Array.isArray(value)) {
      const ids: unknown[] = [];
      for (const entry of value) ids.push(await toId(String(entry)));
      (values as Record<string, unknown>)[field] = ids;
    } else (values as Record<string, unknown>)[field] = await toId(String(value));
  }
}

/** null if the records have no list. */
export function namedKind(field: string): ListedKind | null {
  // A customer's record at a location has the ID of the location.
  const kinds: readonly RecordKind[] =
    field === "customer_location_id" ? [kindOf("locations")] : kindsOfField(field);
  const [kind, also] = kinds.flatMap(({ list, ...rest }) =>
    list && rest.knownBy ? [{ ...rest, list }] : [],
  );
  return kind ? { ...kind, ...(also && { also }) } : null;
}

export async function resolveText(
  resolving: Resolving,
  kind: ListedKind,
  text: string,
  scope: Scope,
  isPlaced = false,
): Promise<OwnRecord> {
  if (isName(kind, text)) return resolveToPlace(resolving, kind, text, scope);
  const isAsked = isId(kind, text) && (isPlaced || (isEither(kind, text) && !isKnownPlace(kind, scope)));
  const place = isAsked ? await locate(resolving.client, kind, text) : undefined;
  if (place !== null) return { id: text, params: place ?? {} };
  const refuse = () => {
    // Without a needed place, the operation itself reports the missing record with its field.
    if (!isPlaced) return { id: text, params: {} };
    throw failure("record_not_found", `There is no ${toLabelOfKind(kind)} ${text}.`);
  };
  if (resolving.isFinal || !isEither(kind, text)) return refuse();
  return resolveToPlace(resolving, kind, text, scope).catch((error: unknown) => {
    if (error instanceof DispatchError && error.code === "name_not_found") return refuse();
    throw error;
  });
}

/** With a location, a job's number is an ID. */
const isKnownPlace = ({ within }: RecordKind, scope: Scope) =>
  within === "locations" && scope.location_id !== undefined;

async function resolveToPlace(
  resolving: Resolving,
  kind: ListedKind,
  words: string,
  scope: Scope,
): Promise<OwnRecord> {
  const { id, params } = await resolveName(resolving, kind, words, scope);
  return { id, params };
}

function pick(params: Scope, names: readonly string[]): Scope {
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
}

const toTexts = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((entry) => (typeof entry === "string" || typeof entry === "number" ? [String(entry)] : []));
