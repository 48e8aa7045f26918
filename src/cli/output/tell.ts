import { type CliContext, type Screen, sizeOf } from "../context.ts";
import { wrapProse } from "./fit-text.ts";
import type { OutputSettings } from "./options.ts";
import { joinLines, toVisible, toVisibleJson } from "./text.ts";

export function tell(screen: Screen, line: string): void {
  screen.write(`${toVisible(line)}\n`);
}

/** Wraps on a terminal, except inside commands, so that users can copy them. */
export function say(screen: Screen, sentence: string): void {
  const text = toVisible(sentence);
  const lines =
    screen.isTTY && !isCommand.test(text) ? wrapProse(text, sizeOf(screen).columns, { hang: "  " }) : [text];
  screen.write(lines.map((line) => `${line}\n`).join(""));
}

const isCommand = /^\s*(?:\w+:\s+)?(?:dispatch-cli|curl|export|npx) /;

export function tellJson(screen: Screen, value: unknown, indent?: number): void {
  screen.write(`${toVisibleJson(JSON.stringify(value, null, indent))}\n`);
}

export interface DrawnLines {
  drawn: readonly string[];
}

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
