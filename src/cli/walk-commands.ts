import type { Command } from "commander";
import { doesSomething } from "./common-options.ts";

/** A command that does something, with the words that name it. */
export interface NamedLeaf {
  command: Command;
  path: readonly string[];
}

/** Every command of a tree that does something, in the order of the help. Commands with verbs may work without one too. */
export function* walkCommands(root: Command, path: readonly string[] = []): Generator<NamedLeaf> {
  for (const command of root.commands) {
    const own = [...path, command.name()];
    if (doesSomething(command)) yield { command, path: own };
    yield* walkCommands(command, own);
  }
}
