import { type RunWords, runSteps, type Side } from "./run-steps.ts";
import { type Outcome, type Step, steps } from "./steps.ts";

export interface Difference {
  command: string;
  /** "exit code", "stdout", or "stderr". Output is compared with the first side. */
  in: string;
  /** The first different line, cut around its first different character. */
  expected: string;
  found: string;
}

export interface Comparison {
  side: string;
  target: string;
  differences: Difference[];
}

export interface Suite {
  commands: number;
  comparisons: Comparison[];
}

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

/** Adds stderr to an unexpected exit code. */
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

/** Cuts both lines, because a line of JSON may be long. */
function aroundChange(line: string | undefined, other: string | undefined): string {
  if (line === undefined) return "(nothing)";
  const at = [...line].findIndex((character, index) => character !== other?.[index]);
  return line.slice(Math.max(0, at - 60), Math.max(0, at) + 60);
}
