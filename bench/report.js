const widths = { question: 66, figure: 18, floor: 18, ratio: 8 };

export function showHead(version, processors) {
  const [first] = processors;
  console.log(`Node ${version}, ${processors.length} × ${first?.model ?? "?"}\n`);
  console.log(toRow(["question", "figure", "floor", "ratio"], "aim"));
}

/**
 * Writes a result: `question`, `figure` and `floor` as numbers with their `unit`, `aim` for their ratio
 * (`isAtMost` gives its direction), and a `note`.
 */
export function showLine({ question, figure, floor, unit, aim, isAtMost, note }) {
  const ratio = ratioOf({ figure, floor });
  const cells = [question, toText(figure, unit), toText(floor, unit), ratio === null ? "" : ratio.toFixed(3)];
  console.log(toRow(cells, [toVerdict(ratio, aim, isAtMost), note ?? ""].filter(Boolean).join("  ")));
}

/** Writes the ratios that changed by more than a tenth since an earlier run. */
export function showComparison(before, after) {
  console.log("\nsince the run compared with:");
  for (const result of after) {
    const known = before.find(({ question }) => question === result.question);
    const [then, now] = [known && ratioOf(known), ratioOf(result)];
    if (!known) console.log(`  new        ${result.question}`);
    else if (then === null || now === null) continue;
    else if (Math.abs(now / then - 1) > 0.1)
      console.log(
        `  × ${(now / then).toFixed(2).padEnd(8)} ${result.question} (${then.toFixed(3)} → ${now.toFixed(3)})`,
      );
  }
}

function ratioOf({ figure, floor }) {
  return floor === undefined || floor === null ? null : figure / floor;
}

function toVerdict(ratio, aim, isAtMost) {
  if (aim === undefined || ratio === null) return "";
  const reached = isAtMost ? ratio <= aim : ratio >= aim;
  return `${isAtMost ? "≤" : "≥"} ${aim} ${reached ? "reached" : "NOT reached"}`;
}

function toText(number, unit = "/s") {
  if (number === undefined || number === null) return "";
  const digits = Math.abs(number) < 10 ? 2 : Math.abs(number) < 100 ? 1 : 0;
  return `${number.toFixed(digits)}${unit === "/s" ? "/s" : ` ${unit}`}`;
}

function toRow([question, figure, floor, ratio], rest) {
  return [
    question.padEnd(widths.question),
    figure.padStart(widths.figure),
    floor.padStart(widths.floor),
    ratio.padStart(widths.ratio),
    ` ${rest}`,
  ].join("");
}
