import { kindOfField, kindOfName } from "../../../records/find-kind.ts";
import type { JsonValue } from "../../output/answer.ts";
import type { Kept, Outcome, Step } from "./steps.ts";

/**
 * Removes from an outcome what differs between the sides for a good reason: ids, moments at which something was done,
 * UUIDs, and the address of the target. In JSON an id becomes the name that its record was kept under, so that a
 * reference to the wrong record is found. Texts lose every number, and the width of its column.
 */
export function toComparable(outcome: Outcome, step: Step, kept: Kept, targets: readonly string[]): Outcome {
  const clean = (text: string) =>
    targets
      .reduce((cleaned, target) => cleaned.replaceAll(target, "<target>"), text)
      .replace(uuids, "<uuid>")
      .replace(/^ {2}request id: .*\n/gm, "")
      .replace(moments, "<moment>");
  const [noun = ""] = step.words;
  const form = step.words[step.words.indexOf("-o") + 1];
  const isJson = form === "json" || form === "ndjson";
  const toLine = (line: string) => JSON.stringify(nameIds(JSON.parse(line), toLabel(noun), kept));
  const { exitCode, stdout, stderr } = outcome;
  return {
    exitCode,
    stdout: isJson
      ? clean(stdout.trimEnd().split("\n").filter(Boolean).map(toLine).join("\n"))
      : blur(clean(stdout)),
    stderr: blur(clean(stderr)),
  };
}

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Leaves midnight alone: it stands in dates that a command gave, which are the same on every side. */
const moments = /\d{4}-\d\d-\d\d[T ](?!00:00)\d\d:\d\d(?::\d\d)?(?:\.\d+)?/g;

/** Removes the headings of tables too: a table is as wide as its ids, and its headings are broken to fit that. */
const blur = (text: string) =>
  text
    .replace(/^(?:.*\n)+?(?=─)/, "")
    .replace(/"request_id":(?:null|"<uuid>")/g, '"request_id":<uuid>')
    .replace(/tenant \d+ \(.*\)/g, "<tenant>")
    .replace(/\d+/g, "#")
    .replace(/ +/g, " ")
    .replace(/^ | $/gm, "")
    .replace(/─+/g, "─");

/** `label` says what kind of record the value is, and so whose id its "id" is. */
function nameIds(value: JsonValue, label: string, kept: Kept): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => nameIds(entry, label, kept));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, JsonValue] => {
    const ofWhat = key === "id" ? label : labelOfField(key);
    if (ofWhat !== null && typeof member === "number") return [key, nameOf(ofWhat, member, kept)];
    return [key, nameIds(member, key === "results" ? label : toLabel(key), kept)];
  });
  return Object.fromEntries(members);
}

/** What a field holds the id of; null when it holds none. */
function labelOfField(field: string): string | null {
  return kindOfField(field)?.label ?? (field.endsWith("_id") ? field.slice(0, -3) : null);
}

function nameOf(label: string, id: number, kept: Kept): string {
  const known = [...kept].find(([, record]) => record.label === label && record.id === id);
  return known ? `<${known[0]}>` : `<another ${label}>`;
}

/** What one record is called, by the noun of a command or by the field that holds it; other words stay as they are. */
export const toLabel = (name: string) => kindOfName(name)?.label ?? name;
