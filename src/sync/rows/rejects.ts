import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { failure, type Violation } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { writePrivately } from "../../runtime/private-file.ts";
import type { Refusal } from "../report.ts";
import { cellsOf, type Row, type RowFile } from "./row-file.ts";

/** Next to `file` and in its format; for standard input in the current folder. */
export function rejectsFileOf(file: string, { form }: Pick<RowFile, "form">): string {
  return `${file === "-" ? "import" : file}.rejects.${form}`;
}

export function requireWritable(rejectsFile: string): void {
  try {
    accessSync(dirname(rejectsFile), constants.W_OK);
  } catch (error) {
    throw unwritable(rejectsFile, error);
  }
}

/** The user corrects and imports this file. */
export function writeRejects(rejectsFile: string, file: RowFile, refused: readonly Refusal[]): void {
  const mark = file.needsMark ? "\ufeff" : "";
  try {
    writePrivately(rejectsFile, `${mark}${toRejectsFile(file, toRejected(file, refused))}`);
  } catch (error) {
    throw unwritable(rejectsFile, error);
  }
}

interface RejectedRow {
  row: Row;
  violations: readonly Violation[];
}

function toRejected({ rows }: RowFile, refused: readonly Refusal[]): RejectedRow[] {
  const byLine = new Map(refused.map(({ line, violations }) => [line, violations]));
  return rows.flatMap((row) => {
    const violations = byLine.get(row.line);
    return violations ? [{ row, violations }] : [];
  });
}

function unwritable(rejectsFile: string, error: unknown) {
  const reason = describeFileError(error, "there is no such folder");
  return failure("usage", `Rejected rows cannot be written to ${rejectsFile}: ${reason}.`, null, error);
}

export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(toSentence).join(" ");
}

/** Users know the columns, not the models. */
export function toSentence({ detail }: Violation): string {
  return detail.replace(/\b[A-Z]\w*Model\./g, "");
}

function toRejectsFile(file: RowFile, rejected: readonly RejectedRow[]): string {
  if (file.form === "csv") return toCsv(file, rejected);
  const objects = rejected.map((one) => JSON.stringify(toObject(file, one)));
  return file.form === "json"
    ? `[${objects.join(",\n")}]\n`
    : objects.map((object) => `${object}\n`).join("");
}

function toObject(file: RowFile, { row, violations }: RejectedRow): object {
  const error = describeViolations(violations);
  // A row that was not an object is written as text.
  if (row.problem !== null) return { error, text: row.text };
  const cells = cellsOf(file, row);
  const own = file.headers.flatMap((header, index) =>
    cells[index] === undefined ? [] : [[header, cells[index]]],
  );
  return { ...Object.fromEntries(own), error };
}

/** Errors come first: users see them, and a row with too many cells stays aligned. */
function toCsv(file: RowFile, rejected: readonly RejectedRow[]): string {
  const old = file.headers.indexOf("error");
  const withoutOld = (cells: readonly string[]) => cells.filter((_, index) => index !== old);
  const rows = rejected.map(({ row, violations }) => [
    describeViolations(violations),
    ...withoutOld(toCells(row)),
  ]);
  return [["error", ...withoutOld(file.headers)], ...rows]
    .map((cells) => `${cells.map((cell) => quote(cell, file.delimiter)).join(file.delimiter)}\r\n`)
    .join("");
}

function toCells({ text }: Row): string[] {
  return JSON.parse(text) as string[];
}

function quote(cell: string, delimiter: string): string {
  return /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

interface Cause {
  rows: number;
  /** The reason of the first of these rows. */
  reason: string;
  lines: readonly number[];
}

/** Most frequent first. A row with several reasons counts for each. */
export function groupCauses(refused: readonly Pick<Refusal, "line" | "violations">[]): Cause[] {
  const causes = new Map<string, { first: Violation; lines: Set<number> }>();
  for (const { line, violations } of refused) {
    for (const violation of violations) {
      const key = `${violation.code} ${violation.field} ${toPattern(violation.detail)}`;
      const known = causes.get(key);
      if (known) known.lines.add(line ?? 0);
      else causes.set(key, { first: violation, lines: new Set([line ?? 0]) });
    }
  }
  return [...causes.values()]
    .map(({ first, lines }) => ({
      rows: lines.size,
      reason: toReason(first),
      lines: [...lines].slice(0, linesShown),
    }))
    .toSorted((a, b) => b.rows - a.rows);
}

const linesShown = 5;

/** The common part of sentences about different values. */
const toPattern = (detail: string) => detail.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, "0");

function toReason(violation: Violation): string {
  const { code, field } = violation;
  return code === "missing_value" && field !== null && /(?:is|are) required/.test(violation.detail)
    ? `no ${officeWords[field] ?? field}`
    : toSentence(violation);
}

const officeWords: Readonly<Record<string, string>> = {
  address_id: "address (address_id)",
  country: "country (--set country=US)",
  latitude: "coordinates (--coordinates zip)",
  line_1: "street address (line_1)",
  locality: "city (locality)",
  postcode: "ZIP (postcode)",
  region: "state (region)",
  requested_by: "customer (requested_by)",
};
