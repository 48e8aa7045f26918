import { accessOf } from "../../core/operation.ts";
import type { CliContext } from "../context.ts";
import { type Flag, optionKey } from "../input/flags.ts";
import { copyInput, findMissing } from "../input/input.ts";
import type { OwnRecord } from "../names/resolve-input.ts";
import { chooserOf } from "../prompts/chooser.ts";
import type { Target } from "../target/target.ts";
import { type ParsedCommand, requireComplete } from "./parse.ts";

/**
 * The command with ids in place of the names that people typed, and with what follows from its records: the location, the
 * customer of an address, the address of a customer that has one. Throws a usage error for what is still missing where
 * there is nobody to ask.
 */
export async function resolveCommand(
  context: CliContext,
  command: ParsedCommand,
  target: Target,
): Promise<ParsedCommand> {
  if (accessOf(command.operation) !== null) return command;
  const resolved = await resolve(context, command, target);
  const missing = findMissing(resolved.flags, resolved.input);
  requireComplete(context, missing, resolved.options, resolved.flags);
  return { ...resolved, missing };
}

async function resolve(context: CliContext, command: ParsedCommand, target: Target): Promise<ParsedCommand> {
  const { flags, operation, options, own, settings } = command;
  // Only what was typed may be a name: a body in a file is as the interface has it.
  const typed = flags.filter((flag) => options[optionKey(flag)] !== undefined);
  const { mayBeName, resolveFields, resolveOwn, resolveParams } = await import("../names/resolve-input.ts");
  const input = copyInput(command.input);
  const lacksParams = Object.keys(operation.params).some((param) => input.params[param] === undefined);
  const isNamed = ({ field, part }: Flag) => mayBeName(field, input[part]?.[field]);
  const isOwnNamed = own?.ids.some((id) => mayBeName(own.param, id)) === true;
  const lacksFields = command.missing.some(({ part }) => part === "body");
  const isPlaceNamed = mayBeName("location_id", input.params.location_id);
  const typeFlag = typed.find((flag) => isTypeWord(command, flag));
  const hasNames = isPlaceNamed || isOwnNamed || typeFlag !== undefined || typed.some(isNamed);
  if (!lacksParams && !lacksFields && !hasNames) return command;
  const resolving = {
    context,
    client: target.client,
    choose: chooserOf(context, options),
    tells: command.output === null || settings.form === "table",
    operation,
    input,
  };
  await resolveParams(resolving, own?.param ?? null);
  const records = own && (await resolveOwn(resolving, own.param, own.ids));
  const { followCustomer, followLocation } = await import("../names/follow-records.ts");
  await followLocation(resolving, settings.location);
  await resolveFields(
    resolving,
    typed.filter(({ part }) => part !== "params"),
  );
  await followCustomer(resolving);
  if (typeFlag !== undefined) {
    const { readTypeWord } = await import("../names/read-job-type.ts");
    await readTypeWord(target.client, typeFlag, input);
  }
  return { ...command, input, own: own && records && { ...own, ...toOwn(records) } };
}

/** Whether an option gives the type of a job in other words than the interface has for it. */
function isTypeWord({ input, operation }: ParsedCommand, { field, kind, part }: Flag): boolean {
  if (field !== "type" || !operation.name.startsWith("jobs.") || kind?.name !== "choice") return false;
  return !(kind.input.enum as unknown[]).includes(input[part]?.[field]);
}

/** The ids of an argument's records, each once, and what is known of each. */
function toOwn(records: readonly OwnRecord[]) {
  const byId = new Map(records.map((record) => [record.id, record]));
  return { ids: [...byId.keys()], records: byId };
}
