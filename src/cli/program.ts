import type { Command } from "commander";
import type { CliContext } from "./context.ts";

/** For completion, the manual, and the conformance suite. */
export interface Program {
  commandTree(words: readonly string[]): Promise<Command>;
  wholeTree(): Promise<Command>;
  run(argv: readonly string[], context: CliContext): Promise<number>;
}
