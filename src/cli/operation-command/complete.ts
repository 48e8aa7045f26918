import { type CliContext, canAsk } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import { copyInput } from "../input/input.ts";
import type { Target } from "../target/target.ts";
import type { ParsedCommand } from "./parse.ts";

/** The command with what a person at the terminal was asked for; without anything to ask, the same. */
export async function completeCommand(
  context: CliContext,
  command: ParsedCommand,
  target: Target,
): Promise<ParsedCommand> {
  const asked = [...command.missing, ...findDecisions(context, command)];
  const optional = findOptional(command);
  if (asked.length === 0 && (optional.length === 0 || !canAsk(context, command.options))) return command;
  const { askForMissing } = await import("../prompts/prompts.ts");
  const input = copyInput(command.input);
  await askForMissing(context, {
    caller: target.caller,
    input,
    // A dry run stores nothing, and so makes no customer either.
    makesCustomers: command.operation.name === "jobs.create" && !command.dryRun,
    missing: asked,
    now: () => target.clock.now(),
    optional,
    typedAt: async () => {
      const { typedAt } = await import("./read-times.ts");
      return typedAt({ ...command, input }, target);
    },
  });
  return { ...command, input, missing: [] };
}

/** What a person at a terminal is to decide, unless the command line decided it already. */
function findDecisions(context: CliContext, command: ParsedCommand): Flag[] {
  const { flags, input, presentation } = command;
  const decisions = presentation.asks ?? [];
  // First: to look at standard input Node loads what it needs for sockets.
  if (decisions.length === 0 || !canAsk(context, command.options)) return [];
  return flags.filter(
    ({ part, field }) => part === "body" && decisions.includes(field) && !(field in (input.body ?? {})),
  );
}

/** What may be left out, and is asked for all the same, unless a whole body is given. */
function findOptional({ flags, input, options, presentation }: ParsedCommand): Flag[] {
  const also = options.body === undefined ? (presentation.alsoAsks ?? []) : [];
  return flags.filter(({ field, part }) => also.includes(field) && input[part]?.[field] === undefined);
}
