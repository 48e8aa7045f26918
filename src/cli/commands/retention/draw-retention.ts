import type { AnswerNamed } from "../../../operations/client.ts";
import { toCellText } from "../../output/text.ts";

type Rule = AnswerNamed<"retention.show">[number];

/** The rules of a tenant as lines: one a kind, aligned, and below them what stays whatever its age. */
export function drawRetention(tenant: { id: number; name: string }, rules: readonly Rule[]): string[] {
  const head = ["KIND", "KEPT FOR", "ROWS", "OLDEST", "PAST ITS TIME", "LAST APPLIED", "REMOVED"];
  const rows = rules.map((rule) => [
    rule.kind,
    rule.is_default ? `${rule.kept_for} (default)` : rule.kept_for,
    String(rule.rows),
    toTime(rule.oldest_on),
    toDue(rule),
    toTime(rule.applied_on),
    rule.removed_on === null ? "–" : `${rule.removed}, last on ${toTime(rule.removed_on)}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [`Tenant ${tenant.id} (${tenant.name})`, toLine(head), ...rows.map(toLine)];
}

const toTime = (moment: string | null) => (moment === null ? "–" : toCellText(moment, "second"));

/** Rows that stay whatever their age are no part of it. */
const toDue = ({ due, kept_for }: Rule) => (kept_for === "never" ? "–" : String(due));
