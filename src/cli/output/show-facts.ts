import type { CliContext } from "../context.ts";
import { joinLines } from "./format.ts";
import type { OutputSettings } from "./options.ts";
import { say, tellJson } from "./tell.ts";

/** Lines with colours, whose data was made visible by what drew them. */
export interface DrawnLines {
  drawn: readonly string[];
}

/** Shows the outcome of a command that is no operation: one JSON object for programs, sentences for people. */
export function showFacts(
  { stdout }: CliContext,
  { form }: Pick<OutputSettings, "form">,
  facts: object,
  lines: readonly string[] | DrawnLines,
): void {
  if (form !== "table") tellJson(stdout, facts);
  else if ("drawn" in lines) stdout.write(joinLines(lines.drawn));
  else for (const line of lines) say(stdout, line);
}
