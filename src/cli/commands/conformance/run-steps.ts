import { Readable } from "node:stream";
import { exitCodes } from "../../../errors/errors.ts";
import type { CliContext } from "../../context.ts";
import type { Program } from "../../program.ts";
import { toComparable, toLabel } from "./comparable.ts";
import { type Outcome, type Step, steps } from "./steps.ts";

/** Where the suite runs: a name for people, and the options and the environment that choose the target. */
export interface Side {
  name: string;
  /** The store or the server, as the commands may name it. */
  target: string;
  options: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Runs the words of a command on a side, `input` as its standard input, and gives what it left. */
export type RunWords = (side: Side, words: readonly string[], input?: string | null) => Promise<Outcome>;

/** Runs the suite on one side, as if somebody typed it. Gives of each command what can be compared. */
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

/** In a body an id is a number: `"{job}"` becomes 17, without the quotes. */
function toBodyText({ body }: Step, fillIn: (text: string) => string): string | null {
  if (body === undefined) return null;
  return JSON.stringify(body).replace(/"(\{\w+\})"/g, (_, placeholder: string) => fillIn(placeholder));
}

/** Gives 0 where the command was refused: no record has this id, so every side refuses the steps that follow. */
function readId({ exitCode, stdout }: Outcome): number {
  return exitCode === exitCodes.done ? (JSON.parse(stdout) as { id: number }).id : 0;
}

/** Runs commands in this program, with buffers in place of the streams. */
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
