import type { Client } from "../../client/client.ts";
import { accessOf } from "../../core/operation.ts";
import type { JsonObject } from "../../models/json.ts";
import { kindOfOperation } from "../../records/find-kind.ts";
import { type CliContext, canAsk } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import { copyInput } from "../input/input.ts";
import { requireYes } from "../prompts/require-yes.ts";
import { openTarget, type Target } from "../target/target.ts";
import { addView } from "./add-view.ts";
import { callCommand } from "./call.ts";
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
    const before = await readBeforeTold(command, target.client);
    const result = await callCommand(command, target);
    await showResult(context, command, result, before, target);
  } finally {
    if (lent === null) await target.close();
  }
}

/** What the record is before the change, where people are told it. */
async function readBeforeTold(command: ParsedCommand, client: Client): Promise<JsonObject | null> {
  if (!isTold(command)) return null;
  const { readBefore } = await import("./tell-change.ts");
  return readBefore(command, client);
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

/** The command with what a person at the terminal was asked for; without anything to ask, the same. */
async function completeCommand(
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
    client: target.client,
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

/** Asks before a severe command acts, and shows on what. Throws confirmation_needed and declined. */
async function confirmCommand(context: CliContext, command: ParsedCommand, target: Target): Promise<void> {
  if (!command.isSevere || command.dryRun) return;
  await requireYes(context, toQuestion(command, target), command.options);
}

function toQuestion({ operation, shorthand, input, own }: ParsedCommand, { name, tenant }: Target): string {
  const what = shorthand?.summary ?? operation.summary;
  const ids = own?.ids.join(", ") ?? "";
  const plural = ids.includes(",") ? "s" : "";
  const around = Object.entries(input.params)
    .filter(([param]) => param !== own?.param)
    .map(([param, id]) => `, ${param.replace(/_id$/, "").replaceAll("_", " ")} ${id}`)
    .join("");
  const { label } = kindOfOperation(operation.name);
  const where = `${name}, tenant ${tenant.id} (${tenant.name})`;
  return `${what}: ${label}${plural} ${ids}${around} in ${where}?`;
}
