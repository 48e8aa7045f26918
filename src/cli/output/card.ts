import type { JsonObject } from "../../models/json.ts";
import { showPhone } from "../../models/show-phone.ts";
import { isTimestamp } from "../../models/timestamps.ts";
import { kindOfField } from "../../records/find-kind.ts";
import { tellMarks, toFullPlace } from "../presentation/cells.ts";
import { tellAttempt } from "../presentation/hooks.ts";
import type { Card, Cells } from "../presentation/presentation.ts";
import { tellTimeOf, tellZone } from "../presentation/tell-time.ts";
import { labelled, toWords, type View } from "../presentation/view.ts";
import { isRecord, type JsonRecord, type JsonValue } from "./answer.ts";
import { drawLines, indentLines, type Line } from "./draw-fields.ts";
import { widestOf, wrapText } from "./fit-text.ts";
import { indentScreen, type Screen } from "./screen.ts";
import { toCellText, toVisible } from "./text.ts";

export interface CardSource {
  title: string | null;
  card: Card | null;
  cells: Cells;
  view: View;
}

interface Field {
  field: string;
  value: JsonValue;
}

const indent = 2;

/** Draws leads, other fields, times, and inner records. Omits empty and false fields. */
export function drawCard(record: JsonRecord, source: CardSource, screen: Screen): string[] {
  const leads = toLeads(record, source);
  const rest = toRest(record, source);
  const plain = rest.filter(({ value }) => !isBlock(value));
  const facts = plain.filter(({ value }) => !isTime(value) && value !== true);
  const groups = [
    leads,
    facts.map(({ field, value }) => ({ label: toWords(field), text: say(field, value, record, source) })),
    [
      ...toMarks(plain, record),
      ...toTimes(
        plain.filter(({ value }) => isTime(value)),
        record,
        source,
      ),
    ],
  ];
  const labelColumns = widestOf(groups.flat().map(({ label }) => label));
  const blocks = rest.filter(({ value }) => isBlock(value)).map((block) => drawBlock(block, source, screen));
  const drawn = [...groups.map((group) => drawLines(group, labelColumns, screen)), blocks.flat()];
  const head = source.title === null ? [] : [screen.paint.bold(toVisible(source.title))];
  return [...head, ...joinGroups(drawn)];
}

function joinGroups(groups: readonly string[][]): string[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : ["", ...group]));
}

function toLeads(record: JsonRecord, { card, view }: CardSource): Line[] {
  return Object.entries(card?.leads ?? {})
    .map(([label, toText]) => ({ label, text: toText(record, view) }))
    .filter(({ text }) => text !== "");
}

function toRest(record: JsonRecord, { card, cells, title, view }: CardSource): Field[] {
  const told = new Set([...(title === null ? [] : ["id", "name", "username"]), ...(card?.tells ?? [])]);
  return Object.entries(record)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .filter(([field, value]) => !told.has(field) && !isEmpty(value) && !isToldByName(field, value, record))
    .filter(([, value]) => title === null || !isTitle(value, title))
    .filter(([field]) => cells[field]?.(record, view) !== "")
    .map(([field, value]) => ({ field, value }));
}

function isTitle(value: JsonValue, title: string): boolean {
  return typeof value === "string" && (title.endsWith(` ${value}`) || title.endsWith(`(${value})`));
}

function rankOf(field: string): number {
  const first = ["id", "name", "username"];
  return first.includes(field) ? first.indexOf(field) : first.length;
}

/** Whether the line of its id already names an inner record. */
function isToldByName(field: string, value: JsonValue, record: JsonRecord): boolean {
  return isRecord(value) && value.id !== undefined && value.id === record[`${field}_id`];
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

function isBlock(value: JsonValue): value is JsonRecord | JsonRecord[] {
  return isRecord(value) || (Array.isArray(value) && value.length > 0 && value.every(isRecord));
}

const isTime = (value: JsonValue): value is string => typeof value === "string" && isTimestamp(value);

function say(field: string, value: JsonValue, record: JsonRecord, { cells, view }: CardSource): string {
  if (isTime(value)) return tellTimeOf(value, field, record, view);
  const text = cells[field]?.(record, view);
  if (text !== undefined) return text;
  if (kindOfField(field) !== null && !Array.isArray(value)) return view.nameIn(record, field) ?? "";
  return typeof value === "string" ? value : toCellText(value, "second");
}

/** One line for all set flags. `is_active` shows only when false. */
function toMarks(fields: readonly Field[], { is_active }: JsonRecord): Line[] {
  const marks = tellMarks(
    Object.fromEntries([...fields.map(({ field, value }) => [field, value]), ["is_active", is_active]]),
  );
  return marks.length === 0 ? [] : [{ label: "marked", text: marks.join(", ") }];
}

/** `created Mon Aug 3 8:00 · last updated … (New York)`. */
function toTimes(times: readonly Field[], record: JsonRecord, source: CardSource): Line[] {
  if (times.length === 0) return [];
  const said = times
    .toSorted((one, other) => (String(one.value) < String(other.value) ? -1 : 1))
    .map(({ field, value }) => `${toWords(field).replace(/ on$/, "")} ${say(field, value, record, source)}`);
  const zone = tellZone([record], source.view);
  return [{ label: "times", text: `${said.join(" · ")}${zone === null ? "" : ` (${zone})`}` }];
}

function drawBlock({ field, value }: Field, source: CardSource, screen: Screen): string[] {
  const inner = indentScreen(screen, indent);
  const isList = Array.isArray(value);
  const lines = (isList ? value : [value]).filter(isRecord).flatMap((entry) => {
    const [first = "", ...rest] = drawEntry(
      field,
      entry,
      source,
      isList ? indentScreen(inner, indent) : inner,
    );
    return isList ? [`• ${first}`, ...indentLines(rest, indent)] : [first, ...rest];
  });
  return [screen.paint.faint(toVisible(toWords(field))), ...indentLines(lines, indent)];
}

/** On one line if its field has a teller; otherwise fields in a row, then inner records. */
function drawEntry(field: string, entry: JsonRecord, source: CardSource, screen: Screen): string[] {
  const usual = tellEntry(field, entry, source.view);
  if (usual !== null) return wrapText(toVisible(usual), screen.columns);
  const within = { ...source, card: null, cells: {}, title: "" };
  const rest = toRest(entry, within);
  const facts = rest
    .filter(({ value }) => !isBlock(value))
    .map((fact) =>
      fact.value === true
        ? toWords(fact.field)
        : labelled(fact.field, say(fact.field, fact.value, entry, within)),
    );
  const name = entry.name ?? entry.username ?? null;
  const id = entry.id ?? null;
  const parts = [...(name === null ? [] : [String(name)]), ...facts, ...(id === null ? [] : [`id ${id}`])];
  const text = toVisible(parts.join(" · "));
  const blocks = rest.filter(({ value }) => isBlock(value)).map((block) => drawBlock(block, within, screen));
  return [...wrapText(text, screen.columns), ...blocks.flat()];
}

function tellEntry(field: string, entry: JsonObject, view: View): string | null {
  const text = tellers[field]?.(entry, view) ?? "";
  return text === "" ? null : text;
}

const tellers: Readonly<Record<string, (entry: JsonObject, view: View) => string>> = {
  address: toFullPlace,
  attempts: tellAttempt,
  addresses: (address) =>
    [toFullPlace(address), tellMarks(address, ["is_physical"]).join(", "), toId(address)]
      .filter((part) => part !== "")
      .join(" · "),
  contact: toContact,
  locations: toAccount,
  contacts: (contact) =>
    [toContact(contact), toNotices(contact), toId(contact)].filter((part) => part !== "").join(" · "),
};

function toContact({ email, fax, name, number }: JsonObject): string {
  return [name, typeof number === "string" && showPhone(number), email, fax ? `fax ${fax}` : null]
    .filter((part) => part)
    .join(", ");
}

function toAccount(account: JsonObject, view: View): string {
  const { is_active, note, reference_number, sales_rep } = account;
  const facts = [
    view.nameIn(account, "location_id"),
    reference_number ? `reference ${reference_number}` : null,
    sales_rep ? `sales rep ${sales_rep}` : null,
    is_active === false ? "deactivated" : null,
    note,
  ];
  return facts.filter((fact) => fact).join(" · ");
}

/** `notified of completed, failed jobs` */
function toNotices(contact: JsonObject): string {
  const of = Object.keys(contact).flatMap((field) => {
    const [, what] = /^notify_on_(\w+)_request$/.exec(field) ?? [];
    return what !== undefined && contact[field] === true ? [what] : [];
  });
  return of.length === 0 ? "" : `notified of ${of.join(", ")} jobs`;
}

const toId = ({ id }: JsonObject) => `id ${id}`;
