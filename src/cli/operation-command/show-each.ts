import { type DispatchError, exitCodes } from "../../errors/errors.ts";
import type { CliContext } from "../context.ts";
import { AlreadyShown } from "../outcome/already-shown.ts";
import { errorBodyOf, exitCodeOf } from "../outcome/exit-code-of.ts";
import type { OutputOptions } from "../output/options.ts";
import { showAnswer } from "../output/show.ts";
import { tell, tellJson } from "../output/tell.ts";
import type { CommandResult } from "./call.ts";

/**
 * Shows what came of a call for each of several records, while the calls are made: a line for each, on stdout what was
 * done, as `tellOne` tells it, on stderr what was not. Throws AlreadyShown with the exit code of the first error. `label`
 * is what one record is called.
 */
export async function showEach(
  context: CliContext,
  label: string,
  { ids, isAtomic, outcomes }: Extract<CommandResult, { kind: "each" }>,
  output: OutputOptions,
  tellOne: (text: string) => Promise<string | null>,
): Promise<void> {
  const texts: string[] = [];
  let firstCode: number = exitCodes.done;
  let tried = 0;
  for await (const outcome of outcomes) {
    tried += 1;
    if ("error" in outcome) {
      tellError(context, label, outcome, output);
      firstCode ||= exitCodeOf(outcome.error);
    } else {
      texts.push(outcome.text);
      if (output.form === "table")
        tell(context.stdout, (await tellOne(outcome.text)) ?? `${label} ${outcome.id}: done`);
    }
  }
  const isUndone = isAtomic && firstCode !== exitCodes.done;
  if (isUndone) tell(context.stderr, "Nothing was changed.");
  else if (tried < ids.length) tell(context.stderr, `Not tried: ${ids.slice(tried).join(" ")}`);
  if (output.form !== "table") await showAnswer(context, `[${texts.join(",")}]`, output, false);
  if (firstCode === exitCodes.done) return;
  if (output.form === "table" && !isAtomic) tell(context.stderr, `${texts.length} of ${ids.length} done.`);
  throw new AlreadyShown(firstCode);
}

function tellError(
  { stderr }: CliContext,
  label: string,
  { id, error }: { id: string; error: DispatchError },
  { form }: OutputOptions,
): void {
  const body = errorBodyOf(error);
  if (form === "json") tellJson(stderr, { ...body, id });
  else for (const { detail } of body.errors) tell(stderr, `error: ${label} ${id}: ${detail}`);
}
