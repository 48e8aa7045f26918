import type { CallAnswer } from "../core/caller.ts";
import { DispatchError, exitCodes, failure } from "../errors/errors.ts";
import type { CliContext } from "./context.ts";
import { readText } from "./input/read-text.ts";
import { AlreadyShown } from "./outcome/already-shown.ts";
import { errorBodyOf, exitCodeOf } from "./outcome/exit-code-of.ts";
import type { OutputOptions } from "./output/format.ts";
import { showAnswer } from "./output/show.ts";
import { toVisible } from "./output/text.ts";

/** The ids that a command line names, each once; `-` stands for those on standard input, one a line. */
export async function readIds(context: CliContext, words: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const word of words) {
    if (word === "-") ids.push(...(await readText(context, "-")).split(/\s+/).filter((line) => line !== ""));
    else ids.push(word);
  }
  if (ids.length === 0) throw failure("usage", "Standard input holds no id.");
  return [...new Set(ids)];
}

/** What is done to several records, and how it is told. */
export interface EachCall {
  /** What one record is called. */
  noun: string;
  ids: readonly string[];
  output: OutputOptions;
  call(id: string): Promise<CallAnswer>;
}

/**
 * Does the same to records one after the other: a line for each, on stdout what was done, on stderr what was not. An
 * error of one does not hold back the others, unless it would be that of all. The exit code is that of the first error.
 */
export async function callEach(context: CliContext, { noun, ids, output, call }: EachCall): Promise<void> {
  const texts: string[] = [];
  let firstCode: number = exitCodes.done;
  for (const [index, id] of ids.entries()) {
    try {
      const answer = await call(id);
      if (answer.kind === "file") throw new Error("Only records are changed one after the other.");
      texts.push(answer.text);
      if (output.form === "table") context.stdout.write(`${noun} ${id}: done\n`);
    } catch (error) {
      if (!(error instanceof DispatchError)) throw error;
      tellError(context, noun, id, error, output);
      const code = exitCodeOf(error);
      firstCode ||= code;
      if (!endsAll.includes(code)) continue;
      const left = ids.slice(index + 1);
      if (left.length > 0) context.stderr.write(`Not tried: ${left.join(" ")}\n`);
      break;
    }
  }
  if (output.form !== "table") await showAnswer(context, `[${texts.join(",")}]`, output, false);
  if (firstCode === exitCodes.done) return;
  if (output.form === "table") context.stderr.write(`${texts.length} of ${ids.length} done.\n`);
  throw new AlreadyShown(firstCode);
}

/** What is wrong then is wrong for every record. */
const endsAll: readonly number[] = [exitCodes.unauthenticated, exitCodes.limited, exitCodes.unreachable];

function tellError(
  { stderr }: CliContext,
  noun: string,
  id: string,
  error: DispatchError,
  { form }: OutputOptions,
) {
  const body = errorBodyOf(error);
  if (form === "json") stderr.write(`${JSON.stringify({ ...body, id })}\n`);
  else for (const { detail } of body.errors) stderr.write(`error: ${noun} ${id}: ${toVisible(detail)}\n`);
}
