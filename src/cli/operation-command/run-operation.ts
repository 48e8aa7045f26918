import type { Caller } from "../../core/caller.ts";
import { accessOf } from "../../core/operation.ts";
import type { JsonObject } from "../../models/json.ts";
import type { CliContext } from "../context.ts";
import { openTarget, type Target } from "../target/target.ts";
import { addView } from "./add-view.ts";
import { callCommand } from "./call.ts";
import { completeCommand } from "./complete.ts";
import { confirmCommand } from "./confirm.ts";
import { isTold } from "./is-told.ts";
import { type GivenCommand, type ParsedCommand, parseCommand } from "./parse.ts";
import { resolveCommand } from "./resolve.ts";
import { showResult } from "./show.ts";

/**
 * Runs the command of an operation: parse, resolve, complete, read times, confirm, call, show. A target that is lent stays
 * open.
 */
export async function runOperation(
  context: CliContext,
  given: GivenCommand,
  lent: Target | null = null,
): Promise<void> {
  const parsed = await parseCommand(context, given);
  const target = lent ?? (await openTarget(context, parsed.settings, toStoreOptions(parsed)));
  try {
    // People are asked once the target is open: nobody should answer questions for one that is not there.
    const resolved = await resolveCommand(context, parsed, target);
    const completed = await completeCommand(context, resolved, target);
    // The location may have been asked for, and its zone is that of the times.
    const timed =
      completed.times.length === 0 && !completed.hasSpan
        ? completed
        : await (await import("./read-times.ts")).readTimes(context, completed, target);
    await confirmCommand(context, timed, target);
    const command = await addView(timed, target);
    const before = await readBeforeTold(command, target.caller);
    const result = await callCommand(command, target.caller);
    await showResult(context, command, result, before, target);
  } finally {
    if (lent === null) await target.caller.close();
  }
}

/** What the record is before the change, where people are told it. */
async function readBeforeTold(command: ParsedCommand, caller: Caller): Promise<JsonObject | null> {
  if (!isTold(command)) return null;
  const { readBefore } = await import("./tell-change.ts");
  return readBefore(command, caller);
}

function toStoreOptions({ operation, options }: ParsedCommand) {
  const access = accessOf(operation);
  return {
    ...(access && { access }),
    anyTenant: operation.allow === "token",
    // The parser collects this option's values in a list.
    fonts: (options.font as string[] | undefined) ?? [],
  };
}
