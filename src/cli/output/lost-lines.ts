import { describeFileError } from "../../errors/file-error.ts";
import { toLogLine } from "../../runtime/log-line.ts";
import type { Loss } from "../../runtime/log-writer.ts";

/** The sentence that stands where lines are missing. */
export function toLossSentence({ error, lines, since }: Loss): string {
  return `${countLines(lines)} lost since ${since}: ${toReason(error)}.\n`;
}

/** The same as a line of a server's log. */
export function toLossRecord({ error, lines, since }: Loss): string {
  const record = toLogLine("warn", {
    lines_lost: lines,
    since,
    reason: toReason(error),
    msg: `${countLines(lines)} lost`,
  });
  return `${JSON.stringify(record)}\n`;
}

const countLines = (lines: number) => (lines === 1 ? "1 log line was" : `${lines} log lines were`);

function toReason(error: unknown): string {
  if (error === null) return "who reads the log is too slow";
  const isUnread = error instanceof Error && "code" in error && error.code === "EPIPE";
  return isUnread ? "nobody reads the log" : describeFileError(error, "it is gone");
}
