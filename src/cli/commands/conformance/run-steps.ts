import { Readable } from "node:stream";
import { exitCodes } from "../../../errors/errors.ts";
import { kindOfField, kindOfName } from "../../../records/find-kind.ts";
import type { CliContext } from "../../context.ts";
import type { JsonValue } from "../../output/answer.ts";
import type { Program } from "../../program.ts";
import { type Kept, type Outcome, type Step, steps } from "./steps.ts";

export interface Side {
  name: string;
  target: string;
  options: readonly string[];
  env: Readonly<Record<string, string>>;
}

export type RunWords = (side: Side, words: readonly string[], input?: string | null) => Promise<Outcome>;

export async function runSteps(
  runWords: RunWords,
  side: Side,
  name: string,
  onStep: (done: number) => void,
): Promise<Outcome[]> {
  const kept = new Map<string, { label: string; id: number }>();
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    const fillIn = (text: string) =>
      text
        .replace("{name}", name)
        .replace(/\{(\w+)\}/g, (_, known: string) => String(kept.get(known)?.id ?? 0));
    const outcome = await runWords(side, step.words.map(fillIn), toBodyText(step, fillIn));
    if (step.keep) kept.set(step.keep, { label: toLabel(step.words[0] ?? ""), id: readId(outcome) });
    outcomes.push(toComparable(outcome, step, kept, [side.target, name]));
    onStep(outcomes.length);
  }
  return outcomes;
}

/** In a body an ID is a number: `"{job}"` becomes 17. */
function toBodyText({ body }: Step, fillIn: (text: string) => string): string | null {
  if (body === undefined) return null;
  return JSON.stringify(body).replace(/"(\{\w+\})"/g, (_, placeholder: string) => fillIn(placeholder));
}

/** Returns 0 after a refusal: no record has this ID, so every side refuses the next steps too. */
function readId({ exitCode, stdout }: Outcome): number {
  return exitCode === exitCodes.done ? (JSON.parse(stdout) as { id: number }).id : 0;
}

/** Runs in this process, with buffers as streams. */
export function createRunner(context: CliContext, program: Program): RunWords {
  return async (side, words, input = null) => {
    const stdout: Uint8Array[] = [];
    const stderr: Uint8Array[] = [];
    const exitCode = await program.run([...words, ...side.options], {
      ...context,
      env: { ...side.env, CI: "1" },
      onInterrupt: () => undefined,
      stderr: { write: (text) => stderr.push(Buffer.from(text)) },
      stdin: Readable.from(input === null ? [] : [Buffer.from(input)]),
      stdout: { write: (text) => stdout.push(Buffer.from(text)) },
    });
    return { exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  };
}

/** Removes expected differences, such as IDs and times. An ID in JSON becomes its record's name. */
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

/** Midnight is part of given dates and the same on every side. */
const moments = /\d{4}-\d\d-\d\d[T ](?!00:00)\d\d:\d\d(?::\d\d)?(?:\.\d+)?/g;

/** Headings of tables wrap at the width of the IDs. */
const blur = (text: string) =>
  text
    .replace(/^(?:.*\n)+?(?=─)/, "")
    .replace(/"request_id":(?:null|"<uuid>")/g, '"request_id":<uuid>')
    .replace(/tenant \d+ \(.*\)/g, "<tenant>")
    .replace(/\d+/g, "#")
    .replace(/ +/g, " ")
    .replace(/^ | $/gm, "")
    .replace(/─+/g, "─");

/** `label` is the kind of the record that "id" belongs to. */
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

function labelOfField(field: string): string | null {
  return kindOfField(field)?.label ?? (field.endsWith("_id") ? field.slice(0, -3) : null);
}

function nameOf(label: string, id: number, kept: Kept): string {
  const known = [...kept].find(([, record]) => record.label === label && record.id === id);
  return known ? `<${known[0]}>` : `<another ${label}>`;
}

export const toLabel = (name: string) => kindOfName(name)?.label ?? name;
