import type { CliContext } from "../context.ts";
import { openTarget } from "../target/target.ts";
import { callCommand } from "./call.ts";
import { completeCommand } from "./complete.ts";
import { confirmCommand } from "./confirm.ts";
import { type GivenCommand, type ParsedCommand, parseCommand } from "./parse.ts";
import { resolveCommand } from "./resolve.ts";
import { showResult } from "./show.ts";

/** Runs the command of an operation: parse, resolve, complete, confirm, call, show. */
export async function runOperation(context: CliContext, given: GivenCommand): Promise<void> {
  const parsed = await parseCommand(context, given);
  const target = await openTarget(context, parsed.settings, toStoreOptions(parsed));
  try {
    // People are asked once the target is open: nobody should answer questions for one that is not there.
    const resolved = await resolveCommand(context, parsed, target);
    const command = await completeCommand(context, resolved, target);
    await confirmCommand(context, command, target);
    const result = await callCommand(command, target.caller);
    await showResult(context, command, result);
  } finally {
    await target.caller.close();
  }
}

function toStoreOptions({ operation, options }: ParsedCommand) {
  return {
    ...(operation.access && { access: operation.access }),
    anyTenant: operation.withoutTenant === true,
    // The parser collects this option's values in a list.
    fonts: (options.font as string[] | undefined) ?? [],
  };
}
