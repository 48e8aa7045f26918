import type { Command } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { didYouMean } from "../../../errors/nearest.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import { addFormOption, type NamedLeaf, walkCommands } from "../../common-options.ts";
import { type CliContext, sizeOf } from "../../context.ts";
import { exitMeanings } from "../../help/describe-topics.ts";
import { createHelpWriter } from "../../help/fold-help.ts";
import { tellJson } from "../../output/tell.ts";
import type { Program } from "../../program.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function commandsCommand(context: CliContext, program: Program): Command {
  const command = defineBuiltin("commands", "read")
    .description("List every command; with -o json also its options, types, examples and exit codes.")
    .argument("[words...]", "only commands that begin with these words, like jobs");
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli commands jobs create -o json");
  return command.action(async (words: string[]) => {
    const settings = readSettings(context, command.opts());
    const leaves = findLeaves([...walkCommands(await program.wholeTree())], words);
    if (settings.form !== "table") {
      const { describeCommand } = await import("./describe-command.ts");
      return void tellJson(context.stdout, {
        program: "dispatch-cli",
        version: programVersion,
        exit_codes: Object.entries(exitCodes).map(([name, code]) => ({
          code,
          meaning: exitMeanings[name as keyof typeof exitCodes],
        })),
        commands: leaves.map(describeCommand),
      });
    }
    const { terms } = createHelpWriter(sizeOf(context.stdout).columns);
    context.stdout.write(
      terms(leaves.map((leaf) => [leaf.path.join(" "), leaf.command.description()] as const)),
    );
  });
}

function findLeaves(leaves: readonly NamedLeaf[], words: readonly string[]): NamedLeaf[] {
  const wanted = words
    .join(" ")
    .split(" ")
    .filter((word) => word !== "");
  const found = leaves.filter(({ path }) => wanted.every((word, index) => path[index] === word));
  if (found.length > 0) return found;
  const names = leaves.map(({ path }) => path.join(" "));
  throw failure(
    "usage",
    `No command begins with "${wanted.join(" ")}".${didYouMean(wanted.join(" "), names)}`,
  );
}
