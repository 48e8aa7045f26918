import type { Command } from "commander";
import type { CliContext } from "./context.ts";

/** The program as its own commands see it, for completion, the manual, and the conformance suite. */
export interface Program {
  commandTree(words: readonly string[]): Promise<Command>;
  wholeTree(): Promise<Command>;
  /** Runs a command line and returns its exit code. */
  run(argv: readonly string[], context: CliContext): Promise<number>;
}
