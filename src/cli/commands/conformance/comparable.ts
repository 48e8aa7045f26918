import type { JsonValue } from "../../output/answer.ts";
import type { Kept, Outcome, Step } from "./steps.ts";

/**
 * Takes out of an outcome what is another on each side for good reason: ids, moments at which something was done, UUIDs,
 * and the address of the target. In JSON an id becomes the name that its record was kept under, so that a reference to
 * the wrong record is found; in texts every number is left out, with the width of its column.
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
  const toLine = (line: string) => JSON.stringify(nameIds(JSON.parse(line), toSingular(noun), kept));
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

/** Not midnight: dates that a command gave stay as they are. */
const moments = /\d{4}-\d\d-\d\d[T ](?!00:00)\d\d:\d\d(?::\d\d)?(?:\.\d+)?/g;

/** A table is as wide as its ids, and its headings are broken to fit that: they are left out. */
const blur = (text: string) =>
  text
    .replace(/^(?:.*\n)+?(?=─)/, "")
    .replace(/"request_id":(?:null|"<uuid>")/g, '"request_id":<uuid>')
    .replace(/tenant \d+ \(.*\)/g, "<tenant>")
    .replace(/\d+/g, "#")
    .replace(/ +/g, " ")
    .replace(/^ | $/gm, "")
    .replace(/─+/g, "─");

/** `noun` says whose id "id" is. */
function nameIds(value: JsonValue, noun: string, kept: Kept): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => nameIds(entry, noun, kept));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, JsonValue] => {
    const ofWhat = key === "id" ? noun : (idKeys[key] ?? (key.endsWith("_id") ? key.slice(0, -3) : null));
    if (ofWhat !== null && typeof member === "number") return [key, nameOf(ofWhat, member, kept)];
    return [key, nameIds(member, key === "results" ? noun : toSingular(key), kept)];
  });
  return Object.fromEntries(members);
}

/** Fields that hold the id of another record without saying so. */
const idKeys: Readonly<Record<string, string>> = {
  completed_by: "user",
  created_by: "user",
  requested_by: "customer",
};

function nameOf(noun: string, id: number, kept: Kept): string {
  const known = [...kept].find(([, record]) => record.noun === noun && record.id === id);
  return known ? `<${known[0]}>` : `<another ${noun}>`;
}

export function toSingular(noun: string): string {
  return noun
    .replaceAll("-", "_")
    .replace(/sses$/, "ss")
    .replace(/(?<!s)s$/, "");
}
