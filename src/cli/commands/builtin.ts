import { Command } from "commander";

/** What a command does to the target: "dangerous" commands ask first, or depend on their arguments. */
export type CommandEffect = "dangerous" | "read" | "write";

const effects = new WeakMap<Command, CommandEffect>();

/** Creates a built-in command that runs, in contrast to a noun that only has verbs. */
export function defineBuiltin(name: string, effect: CommandEffect): Command {
  const command = new Command(name);
  effects.set(command, effect);
  return command;
}

/** The effect of a built-in command; undefined for any other command. */
export function effectOfBuiltin(command: Command): CommandEffect | undefined {
  return effects.get(command);
}
