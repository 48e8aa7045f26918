import { join } from "node:path";
import type { Command } from "commander";
import { walkCommands } from "../../src/cli/common-options.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { loadWholeTree } from "./command-line.ts";

const callsOthers = (await loadOperations())
  .filter(({ effect }) => effect === "call")
  .map(({ name }) => name.replace(".", " "));

/** Commands that run until stopped, send requests to other servers, or fail when repeated. */
const left = new Set([
  ...callsOthers,
  "backup",
  "profiles add",
  "serve",
  "hooks listen",
  "hooks deliver",
  "hooks pause",
  "hooks resume",
  "hooks certify",
  "hooks trigger",
  "mcp",
]);

/** Every command that does something and ends, by its words. */
export const commandLeaves = [...walkCommands(await loadWholeTree())]
  .map(({ command, path }): [string, Command] => [path.join(" "), command])
  .filter(([words]) => !left.has(words));

/** Returns a command line that suits many commands: the ids exist, and the command stores nothing. */
export function toCommandLine(words: string, command: Command, folder: string): string[] {
  const takes = (name: string) => command.options.some(({ long }) => long === name);
  const ids = ["--location", "--customer", "--driver", "--hook", "--job", "--hauler"];
  const given = ids.filter(takes).flatMap((name) => [name, "1"]);
  const isWrite = takes("--dry-run");
  return [
    ...words.split(" "),
    ...command.registeredArguments.map((argument) =>
      /file/.test(argument.name()) ? join(folder, "none") : "1",
    ),
    ...given,
    ...(isWrite ? ["--dry-run"] : []),
    ...(takes("--out")
      ? ["--out", join(folder, words.replaceAll(" ", "-")), "--yes"].slice(0, takes("--yes") ? 3 : 2)
      : []),
  ];
}
