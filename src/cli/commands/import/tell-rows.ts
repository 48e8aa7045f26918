import type { Report } from "../../../sync/report.ts";
import { groupCauses } from "../../../sync/rows/causes.ts";
import { approximate } from "../../../sync/rows/guess-coordinates.ts";
import type { CliContext } from "../../context.ts";
import { tell } from "../../output/tell.ts";
import type { ImportRun } from "./import-run.ts";

/** Says on stderr how the file was read: what was passed over, and how values were cleaned, each rule with its count. */
export function tellReading({ stderr }: CliContext, { file, tally }: ImportRun): void {
  for (const note of file.notes) tell(stderr, note);
  for (const { example, lines, rows, rule } of tally.all()) {
    const places = rule === approximate ? `, lines ${listLines(lines, rows)}` : "";
    tell(stderr, `${countRows(rows)}: ${rule} (${example}${places}).`);
  }
}

/** Says on stderr why rows are rejected, grouped, the most frequent reason first. */
export function tellCauses({ stderr }: CliContext, { refused }: Pick<Report, "refused">): void {
  const causes = groupCauses(refused);
  for (const { lines, reason, rows } of causes.slice(0, causesShown))
    tell(
      stderr,
      `${countRows(rows)}: ${reason.replace(/\.$/, "")} (${rows === 1 ? "line" : "lines"} ${listLines(lines, rows)}).`,
    );
  if (causes.length > causesShown)
    tell(stderr, `${causes.length - causesShown} more reasons are in the file of rejects.`);
}

const causesShown = 12;

const countRows = (rows: number) => (rows === 1 ? "1 row" : `${rows} rows`);

const listLines = (lines: readonly number[], rows: number) =>
  `${lines.join(", ")}${rows > lines.length ? " …" : ""}`;
