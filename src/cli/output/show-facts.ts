import type { CliContext } from "../context.ts";
import type { OutputSettings } from "./format.ts";

/** Shows the outcome of a command that is no operation: one JSON object for programs, sentences for people. */
export function showFacts(
  context: CliContext,
  { form }: Pick<OutputSettings, "form">,
  facts: object,
  sentences: readonly string[],
): void {
  context.stdout.write(
    form === "table" ? sentences.map((line) => `${line}\n`).join("") : `${JSON.stringify(facts)}\n`,
  );
}
