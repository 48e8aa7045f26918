import type { Screen } from "../context.ts";
import { toVisible, toVisibleJson } from "./text.ts";

/**
 * Writes plain text as one line. Nothing in it acts on a terminal, whatever names it holds; what has colours or moves the
 * cursor is written by what draws it.
 */
export function tell(screen: Screen, line: string): void {
  screen.write(`${toVisible(line)}\n`);
}

/** Writes a value as one line of JSON, or indented; its texts are escaped so that nothing in them acts on a terminal. */
export function tellJson(screen: Screen, value: unknown, indent?: number): void {
  screen.write(`${toVisibleJson(JSON.stringify(value, null, indent))}\n`);
}
