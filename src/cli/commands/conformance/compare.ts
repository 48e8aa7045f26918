import { type RunWords, runSteps, type Side } from "./run-steps.ts";
import { type Outcome, type Step, steps } from "./steps.ts";

/** A command that left something else than it should. */
export interface Difference {
  command: string;
  /** "exit code", or "stdout" and "stderr", which are compared with the first side. */
  in: string;
  /** The first line that differs, around the first character that does. */
  expected: string;
  found: string;
}

/** How the commands fell out on one side. */
export interface Comparison {
  side: string;
  target: string;
  differences: Difference[];
}

export interface Suite {
  commands: number;
  comparisons: Comparison[];
}

/** Runs the suite on every side and compares each with the first. */
export async function compareSides(
  runWords: RunWords,
  sides: readonly Side[],
  name: string,
  onStep: (side: Side, done: number, total: number) => void,
): Promise<Suite> {
  const outcomes: Outcome[][] = [];
  for (const side of sides)
    outcomes.push(await runSteps(runWords, side, name, (done) => onStep(side, done, steps.length)));
  const [first = []] = outcomes;
  const comparisons = sides.map(({ name: side, target }, index) => ({
    differences: first.flatMap((expected, at) => toDifferences(at, expected, outcomes[index]?.[at])),
    side,
    target,
  }));
  return { commands: first.length, comparisons };
}

/** How a command fell out on a side: its exit code is the suite's, what it printed is what the first side printed. */
function toDifferences(at: number, expected: Outcome, found: Outcome | undefined): Difference[] {
  const step = steps[at];
  if (!step || !found) return [];
  const parts = [
    ["exit code", String(step.exitCode), toExit(step, found)],
    ["stdout", expected.stdout, found.stdout],
    ["stderr", expected.stderr, found.stderr],
  ] as const;
  return parts
    .filter(([, one, other]) => one !== other)
    .map(([part, one, other]) => ({
      command: `dispatch-cli ${step.words.join(" ")}`,
      in: part,
      ...(part === "exit code" ? { expected: one, found: other } : firstDifference(one, other)),
    }));
}

/** The exit code; where it is not the suite's, also what the command said on stderr. */
function toExit(step: Step, { exitCode, stderr }: Outcome): string {
  return exitCode === step.exitCode
    ? String(exitCode)
    : `${exitCode} ${stderr.replace(/\s+/g, " ").slice(0, 300)}`;
}

function firstDifference(expected: string, found: string): { expected: string; found: string } {
  const [one, other] = [expected.split("\n"), found.split("\n")];
  const at = one.findIndex((line, index) => line !== other[index]);
  const line = at < 0 ? one.length : at;
  return { expected: aroundChange(one[line], other[line]), found: aroundChange(other[line], one[line]) };
}

/** Cuts a line to what stands around the first character that differs: a line of JSON may be long. */
function aroundChange(line: string | undefined, other: string | undefined): string {
  if (line === undefined) return "(nothing)";
  const at = [...line].findIndex((character, index) => character !== other?.[index]);
  return line.slice(Math.max(0, at - 60), Math.max(0, at) + 60);
}
