import { type ErrorCode, errorKind, errorTable, exitCodes } from "../../errors/errors.ts";
import type { HelpWriter } from "./help-writer.ts";

/** What each exit code means. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done",
  unexpected: "unexpected failure",
  invalid: "usage or invalid input",
  unauthenticated: "not authenticated",
  forbidden: "not allowed",
  notFound: "not found",
  conflict: "conflict with what is there",
  limited: "limit reached",
  unreachable: "the target cannot be reached, takes too long, or fails",
  answerIsNo: "the check ran and the answer is no",
  interrupted: "interrupted",
};

/** `help exit-codes`. */
export function describeExitCodes({ paragraph, terms }: HelpWriter): string {
  const entries = Object.entries(exitCodes).map(([name, code]) => {
    const meaning = exitMeanings[name as keyof typeof exitCodes];
    const statuses = statusesOf(code).join(", ");
    return [String(code), statuses ? `${meaning} (HTTP ${statuses})` : meaning] as const;
  });
  return [
    paragraph("Every command ends with one of these exit codes:"),
    "\n",
    terms(entries),
    "\n",
    paragraph(
      "`dispatch-cli explain <code>` lists the errors of one of them. An error is told on stderr, in words, or as JSON with -o json.",
    ),
  ].join("");
}

/** The HTTP statuses of the errors that end with an exit code. */
function statusesOf(exitCode: number): number[] {
  const kinds = Object.keys(errorTable).map((code) => errorKind(code as ErrorCode));
  const statuses = kinds.flatMap(({ exitCode: own, status }) => (own === exitCode && status ? [status] : []));
  return [...new Set(statuses)].sort((a, b) => a - b);
}
