import type { Client } from "../../client/client.ts";
import { DispatchError, exitCodes, failure } from "../../errors/errors.ts";
import { loadOperation } from "../../operations/index.ts";
import { kindOfField } from "../../records/find-kind.ts";
import { type CliContext, sizeOf } from "../context.ts";
import type { CommandInput } from "../input/input.ts";
import {
  findRecords,
  type ListedKind,
  listRecords,
  type NamedRecord,
  searchRecords,
  toChoice,
  toScope,
} from "../names/record-finder.ts";
import { exitCodeOf } from "../outcome/exit-code-of.ts";
import { cutText } from "../output/fit-text.ts";
import { tell } from "../output/tell.ts";
import type { Prompt } from "./open-prompt.ts";

/** Returns the ID of the new record. */
export type MakeRecord = (typed: string) => Promise<number>;

export interface RecordChoices {
  label: string;
  /** The first page of the list. */
  first: readonly NamedRecord[];
  find(term: string): Promise<readonly NamedRecord[]>;
}

/** Whether the other field's records depend on this field: the customer of an address. */
export function isPrerequisite(field: string, other: string): boolean {
  const within = kindOfField(other)?.within;
  return within !== undefined && kindOfField(field)?.noun === within;
}

/** null if the caller cannot list the records. Throws a usage error if none exists, unless the user can create one. */
export async function openChoices(
  client: Client,
  field: string,
  input: CommandInput,
  canCreate: boolean,
): Promise<RecordChoices | null> {
  const known = kindOfField(field);
  if (!known?.list) return null;
  const kind: ListedKind = { ...known, list: known.list };
  const scope = toScope(input, kind);
  const { params } = await loadOperation(kind.list);
  if (Object.keys(params).some((param) => (scope[param] ?? null) === null)) return null;
  try {
    const listed = await listRecords(client, kind, scope, { max: recordsMax, query: { active: "true" } });
    const first = listed.map(({ named }) => named);
    if (first.length === 0 && !canCreate) {
      const help = `\`dispatch-cli ${kind.noun} --help\``;
      throw failure("usage", `No ${kind.label} to choose from. ${help} shows how to create one.`);
    }
    const hidesInactive = listed.some(({ operation }) => "active" in operation.query);
    const search = async (term: string) => {
      const found = await searchRecords(client, kind, term, scope);
      return found?.filter(({ isActive }) => isActive || !hidesInactive).map(({ record }) => record);
    };
    const find = async (term: string) => {
      if (term === "") return first;
      const isComplete = first.length < recordsMax;
      const contains = (record: NamedRecord) => toChoice(record).toLowerCase().includes(term.toLowerCase());
      const others = async () => (await findRecords(client, kind, term, scope)).map(({ record }) => record);
      return (await search(term)) ?? (isComplete ? first.filter(contains) : others());
    };
    return { find, first, label: kind.label };
  } catch (error) {
    // A caller who may not list records may still know the ID.
    if (error instanceof DispatchError && exitCodeOf(error) === exitCodes.forbidden) return null;
    throw error;
  }
}

const recordsMax = 1000;

/** Takes the only record without asking, unless the user can create another. */
export async function askRecord(
  { stderr }: CliContext,
  prompt: Prompt,
  { find, first, label }: RecordChoices,
  make: MakeRecord | null = null,
): Promise<number | string> {
  const [only, ...others] = first;
  if (make && !only) return make("");
  if (only && others.length === 0 && !make) {
    tell(stderr, `${label}: ${toChoice(only)} (the only one)`);
    return toId(only);
  }
  const width = sizeOf(stderr).columns - cursorColumns;
  let typed = "";
  const source = async (term: string | undefined) => {
    typed = term?.trim() ?? "";
    const found = await find(typed);
    const known = found.map((record) => ({ name: cutText(toChoice(record), width), value: toId(record) }));
    return make ? [...known, { name: `new ${label}`, value: isNew }] : known;
  };
  const value = await prompt.search({ message: `${label} (type to search)`, source, pageSize: 9 });
  return make && value === isNew ? make(typed) : value;
}

const toId = ({ id }: NamedRecord) => (/^\d+$/.test(id) ? Number(id) : id);

/** A choice that cannot be the ID of a record. */
const isNew = "new";

const cursorColumns = 3;
