import type { Command } from "commander";
import type { CliContext } from "./context.ts";

/**
 * The program as its own commands see it: completion and the manual read its commands, the conformance suite runs it.
 */
export interface Program {
  /** The command tree, as far as the words of a command line need it. */
  commandTree(words: readonly string[]): Promise<Command>;
  /** The command tree with every command loaded. */
  wholeTree(): Promise<Command>;
  /** Runs a command line in a context of its own and gives its exit code. */
  run(argv: readonly string[], context: CliContext): Promise<number>;
}
