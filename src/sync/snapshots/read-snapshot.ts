import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { newestVersion } from "../../models/api-versions.ts";
import { isSame } from "../../models/json.ts";
import { parseModel } from "../../models/parse.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { isPast, type LoadedKind, loadKinds } from "../load-kinds.ts";
import type { Source } from "../read-tenant.ts";
import type { Refusal } from "../report.ts";
import { type Body, type Json, type SnapshotRecord, toCanonical } from "../snapshot-record.ts";
import { endType, headType, snapshotFormat } from "./write-snapshot.ts";

export interface Snapshot {
  source: Source;
  tenantName: string;
  problems: Refusal[];
}

/** Broken lines become problems, and the source skips them. Throws a usage error for another kind of file. */
export async function openSnapshot(file: string, now: Timestamp): Promise<Snapshot> {
  if (file === "-")
    throw failure("usage", "A snapshot is read more than once, so it must be a file, not standard input.");
  const byName = new Map((await loadKinds()).map((type) => [type.def.type as string, type]));
  const spans = new Map<string, Span>();
  const broken = new Set<number>();
  // Lines in the canonical form of `export all` need no second check.
  const plain = new Set<number>();
  const problems: Snapshot["problems"] = [];
  const numbers = new Set<string>();
  let tenantName: string | null = null;
  let end: number | null = null;
  let last = 1;
  for await (const { line, text } of readLines(file)) {
    last = line;
    if (tenantName === null) {
      tenantName = readHead(file, text);
      continue;
    }
    const found = readLine(byName, text, now);
    if ("end" in found) {
      end = line;
      continue;
    }
    const problem = end === null ? findProblem(found, numbers) : "it is after the end of the snapshot.";
    if (problem !== null) {
      broken.add(line);
      problems.push(toProblem(line, problem));
    } else if ("record" in found) {
      if (found.isPlain) plain.add(line);
      const span = spans.get(found.type) ?? { from: line, to: line };
      spans.set(found.type, { from: span.from, to: line });
    }
  }
  if (tenantName === null) throw notOurs(file, "it is empty");
  if (end === null)
    problems.push(toProblem(last, "the file ends here without its last line: it was truncated."));
  return {
    source: toSource(file, { broken, plain, spans }, (text) => readLine(byName, text, now)),
    tenantName,
    problems,
  };
}

function toProblem(line: number, detail: string): Refusal {
  const violations = [{ code: "malformed_file", detail, field: null }] as const;
  return { type: null, id: null, label: null, line, violations };
}

interface Span {
  from: number;
  to: number;
}

interface KnownLines {
  broken: ReadonlySet<number>;
  plain: ReadonlySet<number>;
  spans: ReadonlyMap<string, Span>;
}

function toSource(file: string, { broken, plain, spans }: KnownLines, read: (text: string) => Line): Source {
  return {
    async *records({ def }) {
      const span = spans.get(def.type);
      if (!span) return;
      for await (const { line, text } of readLines(file)) {
        if (line > span.to) return;
        if (line < span.from || broken.has(line)) continue;
        const found = plain.has(line) ? readPlain(text) : read(text);
        if ("record" in found && found.type === def.type) yield { record: found.record, line };
      }
    },
  };
}

function readPlain(text: string): RecordLine {
  const { type, record } = JSON.parse(text) as RecordLine;
  return { type, record: toCanonical(record) as SnapshotRecord, isPlain: true };
}

async function* readLines(file: string): AsyncGenerator<{ line: number; text: string }> {
  const stream = createReadStream(file, "utf8");
  let line = 0;
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      if (line === 1) yield { line, text: text.replace(/^\uFEFF/, "") };
      else if (text.trim() !== "") yield { line, text };
    }
  } catch (error) {
    throw failure(
      "usage",
      `${file} cannot be read: ${describeFileError(error, "there is no such file")}.`,
      null,
      error,
    );
  } finally {
    stream.destroy();
  }
}

/** Returns the name of the tenant. Throws for another format. */
function readHead(file: string, text: string): string {
  const head = parseJson(text);
  if (head?.type !== headType) throw notOurs(file, "its first line does not say so");
  if (head.format !== snapshotFormat) {
    const detail = `${file} has format ${JSON.stringify(head.format ?? null)}; this program reads format ${snapshotFormat}. Use the dispatch-cli that wrote it.`;
    throw failure("usage", detail);
  }
  if (head.api_version !== newestVersion) {
    const detail = `${file} holds records of API version ${JSON.stringify(head.api_version ?? null)}; this program reads ${newestVersion}.`;
    throw failure("usage", detail);
  }
  const { tenant } = head;
  const name = typeof tenant === "object" && tenant !== null && !Array.isArray(tenant) ? tenant.name : null;
  return typeof name === "string" ? name : "";
}

function notOurs(file: string, why: string) {
  return failure("usage", `${file} is not a snapshot of \`export all\`: ${why}.`);
}

type Line = { end: true } | { problem: string } | RecordLine;

interface RecordLine {
  type: string;
  record: SnapshotRecord;
  isPlain: boolean;
}

function readLine(byName: ReadonlyMap<string, LoadedKind>, text: string, now: Timestamp): Line {
  const line = parseJson(text);
  if (line === null) return { problem: "it is not a JSON object." };
  if (line.type === endType) return { end: true };
  const type = byName.get(String(line.type));
  if (!type) return { problem: `its type is ${JSON.stringify(line.type ?? null)}, which is unknown.` };
  const { record } = line;
  if (typeof record !== "object" || record === null || Array.isArray(record))
    return { problem: "it has no record." };
  const ahead = Object.fromEntries(
    Object.entries(record).filter(([name, value]) => !(type.planned.has(name) && isPast(value, now))),
  );
  const naming = { prefix: `${type.def.type}.`, unknownCode: "unknown_field" } as const;
  const { value, violations } = parseModel(type.model, ahead, now, naming);
  if (value === null) return { problem: violations.map(({ detail }) => detail).join(" ") };
  // The model returns JSON in its stored form.
  const stored = toCanonical(value as Json) as SnapshotRecord;
  return { type: type.def.type, record: stored, isPlain: isSame(stored, record) };
}

function findProblem(line: Exclude<Line, { end: true }>, numbers: Set<string>): string | null {
  if ("problem" in line) return line.problem;
  const key = `${line.type} ${line.record.id}`;
  if (numbers.has(key)) return `${key} is also in an earlier line.`;
  numbers.add(key);
  return null;
}

function parseJson(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}
