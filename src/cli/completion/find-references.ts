import type { Client } from "../../client/client.ts";
import type { Operation } from "../../core/operation.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { AnswerModel } from "../../models/model.ts";
import { fieldPathsOf } from "../../models/versions/field-paths.ts";
import { kindOfField, kindOfNoun } from "../../records/find-kind.ts";
import { onlyMatch } from "../../records/match-names.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { kindOf } from "../../records/record-kinds.ts";
import type { CliContext } from "../context.ts";
import { type Listed, listRecords, searchRecords } from "../names/record-finder.ts";
import type { JsonRecord, JsonValue } from "../output/answer.ts";
import { valueAt } from "../output/fields.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";
import { plainView, type View } from "../presentation/view.ts";
import { readSettings } from "../settings.ts";
import { createRecordView } from "../target/record-view.ts";
import { openTarget, type Target } from "../target/target.ts";
import type { Candidate, Given } from "./replies.ts";

interface TypedLine {
  given: Given;
  typed: string;
}

/** Names, IDs with descriptions, or usernames. */
export async function findReferences(
  context: CliContext,
  field: string,
  line: TypedLine,
): Promise<Candidate[]> {
  const { given, typed } = line;
  if (field === "as") {
    const users = await readRecords(context, kindOf("users"), { ...given, as: "" }, {});
    return users.listed.map(({ fields }) => ({
      value: String(fields.username),
      description: toReferenceText(fields.roles),
    }));
  }
  if (field === "tenant")
    return findOfKind(context, kindOf("tenants"), { given: { ...given, tenant: "" }, typed }, {});
  // Some options omit "id": --location.
  const kind = kindOfField(field) ?? kindOfField(`${field}_id`);
  return kind === null ? [] : findOfKind(context, kind, line, {});
}

/** Active records, or inactive ones for a command that restores. Open records for a command that changes a state. */
export async function findOwnRecords(
  context: CliContext,
  noun: string,
  shorthand: VerbPresentation | undefined,
  line: TypedLine,
): Promise<Candidate[]> {
  const kind = kindOfNoun(noun);
  if (!kind?.list) return [];
  const isRestore = shorthand?.body.is_deleted === false;
  const { shorthands } = await loadPresentation(kind.list);
  const kept = shorthands?.[isRestore ? "inactive" : "active"];
  const changesState = shorthand !== undefined && !("is_deleted" in shorthand.body);
  return findOfKind(context, kind, line, { ...kept?.query, ...(changesState && kind.openQuery) });
}

export function findFields(operation: Operation): Candidate[] {
  const version = operation.lifetime?.until ?? newestVersion;
  return fieldPathsOf(operation.output as AnswerModel, version).map((value) => ({ value, description: "" }));
}

/** Search results for a typed name, else the beginning of the list. */
async function findOfKind(
  context: CliContext,
  kind: RecordKind,
  { given, typed }: TypedLine,
  query: Readonly<Record<string, string>>,
): Promise<Candidate[]> {
  // An address begins with a number too.
  const isName = /^\D/.test(typed) || kind.noun === "addresses";
  if (isName) {
    const found = await atTarget(context, given, (client) =>
      searchRecords(client, kind, typed, toScope(given)),
    );
    const wanted = (found ?? []).filter(({ isActive }) => isActive !== (query.deleted === "false"));
    if (wanted.length > 0)
      return wanted.map(({ record: { id, names } }) => ({
        value: names[0] ?? id,
        description: [`id ${id}`, ...names.slice(1)].join(", "),
      }));
  }
  const named = isName && kind.knownBy?.includes("name") ? { name: `${typed.replaceAll("*", "")}*` } : {};
  const { listed, view } = await readRecords(context, kind, given, { ...query, ...named });
  const presentation = kind.list ? await loadPresentation(kind.list) : {};
  return listed.map(({ fields, named: { id }, operation }) => {
    const description = describeRecord(operation, presentation, fields, view);
    const name = isName ? nameOf(kind, fields) : null;
    // Letters complete to a name, digits or nothing to an ID.
    return name === null
      ? { value: id, description }
      : { value: name, description: `id ${id}, ${description}` };
  });
}

const recordsMax = 100;

async function readRecords(
  context: CliContext,
  kind: RecordKind,
  given: Given,
  query: Readonly<Record<string, string>>,
): Promise<{ listed: Listed[]; view: View }> {
  const { list } = kind;
  const none = { listed: [], view: plainView };
  if (!list) return none;
  const read = async (client: Client, target: Target) => {
    const customer = await findCustomer(client, given.customer ?? given.requestedBy);
    const scope = { ...toScope(given), ...(customer !== undefined && { customer_id: customer }) };
    const listed = await listRecords(client, { ...kind, list }, scope, { max: recordsMax, query });
    const view = createRecordView(target, { isUtc: false, locationId: null });
    // Times are shown in the zones of the locations.
    const records = listed.map(({ fields }) => fields);
    await view.learn(records, []);
    return { listed, view };
  };
  return (await atTarget(context, given, read)) ?? none;
}

/** The path parameters: --location is `location_id`. */
function toScope(given: Given): Readonly<Record<string, string>> {
  const ids = Object.entries(given).filter(([, value]) => /^\d+$/.test(value));
  return Object.fromEntries(
    ids.map(([key, value]) => [`${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_id`, value]),
  );
}

/** null if the target fails or is slow: the user must not wait. */
async function atTarget<T>(
  context: CliContext,
  given: Given,
  read: (client: Client, target: Target) => Promise<T>,
): Promise<T | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), readMsMax).unref();
  });
  const work = async () => {
    // Standard input belongs to the shell, so it has no token.
    const { output: _form, tokenFile, ...others } = given;
    const named = Object.entries({ ...others, ...(tokenFile !== "-" && { tokenFile }) });
    const options = Object.fromEntries(named.filter(([, value]) => value));
    const target = await openTarget(context, readSettings(context, options), { isSilent: true });
    return read(target.client, target).finally(() => target.close());
  };
  // The shell cannot show errors.
  return Promise.race([work().catch(() => null), late]);
}

const readMsMax = 1_500;

async function findCustomer(client: Client, words: string | undefined): Promise<string | undefined> {
  if (words === undefined || /^\d+$/.test(words)) return words;
  const matched = await searchRecords(client, kindOf("customers"), words, {});
  return onlyMatch(matched ?? [])?.record.id;
}

const partsMax = 3;

/** The first columns of a table, without the id. */
function describeRecord(
  { output }: Operation,
  { cells, columns: shown }: Presentation,
  record: JsonRecord,
  view: View,
): string {
  const columns = shown ?? Object.keys((output as AnswerModel & { shape?: object }).shape ?? {});
  const texts = columns
    .filter((column) => column !== "id" && column !== "uuid")
    .map((column) => cells?.[column]?.(record, view) ?? toReferenceText(valueAt(record, column)));
  return texts
    .filter((text) => text !== "")
    .slice(0, partsMax)
    .join(", ");
}

function toReferenceText(value: JsonValue | undefined): string {
  if (value === null || value === undefined || typeof value === "boolean") return "";
  if (Array.isArray(value)) return value.map(toReferenceText).join(" ");
  if (typeof value === "object") return "";
  // A timestamp is cut to its day.
  return String(value).replace(/^(\d{4}-\d{2}-\d{2})T.*$/, "$1");
}
