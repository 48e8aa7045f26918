import { type CliContext, type Screen, sizeOf } from "../context.ts";
import type { OutputSettings } from "./options.ts";
import { wrapProse } from "./fit-text.ts";
import { toVisible, toVisibleJson, joinLines } from "./text.ts";

/**
 * Writes plain text as one line. Nothing in it acts on a terminal, whatever names it holds; what has colours or moves the
 * cursor is written by what draws it.
 */
export function tell(screen: Screen, line: string): void {
  screen.write(`${toVisible(line)}\n`);
}

/** Writes a sentence for people; on a terminal its lines are broken between words. A command is left whole, to be copied. */
export function say(screen: Screen, sentence: string): void {
  const text = toVisible(sentence);
  const lines =
    screen.isTTY && !isCommand.test(text) ? wrapProse(text, sizeOf(screen).columns, { hang: "  " }) : [text];
  screen.write(lines.map((line) => `${line}\n`).join(""));
}

const isCommand = /^\s*(?:\w+:\s+)?(?:dispatch-cli|curl|export|npx) /;

/** Writes a value as one line of JSON, or indented; its texts are escaped so that nothing in them acts on a terminal. */
export function tellJson(screen: Screen, value: unknown, indent?: number): void {
  screen.write(`${toVisibleJson(JSON.stringify(value, null, indent))}\n`);
}

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
