import type { Client } from "../../client/client.ts";
import { accessOf } from "../../core/operation.ts";
import type { JsonObject } from "../../models/json.ts";
import { type CliContext, canAsk } from "../context.ts";
import { type Flag, optionKey } from "../input/flags.ts";
import { type CommandInput, copyInput, findMissing } from "../input/input.ts";
import type { OwnRecord } from "../names/resolve-input.ts";
import { say } from "../output/tell.ts";
import { chooserOf } from "../prompts/chooser.ts";
import { openTarget, type Target } from "../target/target.ts";
import { addView } from "./add-view.ts";
import { type CommandResult, callCommand } from "./call.ts";
import { isCompletion, isSevere } from "./command-operations.ts";
import { type GivenCommand, isTold, type ParsedCommand, parseCommand, requireComplete } from "./parse.ts";
import { showResult } from "./show.ts";

export async function runOperation(
  context: CliContext,
  given: GivenCommand,
  lent: Target | null = null,
): Promise<void> {
  const parsed = await parseCommand(context, given);
  const target = lent ?? (await openTarget(context, parsed.settings, toStoreOptions(parsed)));
  try {
    // Questions come after opening the target, so that no answers are lost if it is unreachable.
    const resolved = await resolveCommand(context, parsed, target);
    const completed = await completeCommand(context, resolved, target);
    // The zone comes from the location, which the program may have asked for.
    const timed =
      completed.times.length === 0 && !completed.hasSpan
        ? completed
        : await (await import("./read-times.ts")).readTimes(context, completed, target);
    if (mayConfirm(timed)) await (await import("./confirm.ts")).confirmCommand(context, timed, target);
    const placed = await placeCaller(context, timed, target);
    const command = await addView(placed.command, target);
    const before = await readBeforeTold(command, target.client);
    const double = isTold(command) ? await findDouble(command, target) : null;
    const result = placed.result ?? (await callCommand(command, target));
    await showResult(context, command, result, before, target);
    if (double !== null) say(context.stderr, double);
    if (isTold(command)) await (await import("./warn-of-crew.ts")).warnOfCrew(context, command, target);
  } finally {
    if (lent === null) await target.close();
  }
}

/** Adds what records imply, such as a customer's only address. Throws a usage error for missing values. */
async function resolveCommand(
  context: CliContext,
  command: ParsedCommand,
  target: Target,
): Promise<ParsedCommand> {
  if (accessOf(command.operation) !== null) return command;
  const heard = await hearCaller(context, command, target);
  const resolved = limitToLocation(await resolve(context, heard, target));
  const input = await fill(context, resolved, target);
  const missing = findMissing(resolved.flags, input).filter(
    ({ field }) => !resolved.caller || !ofCaller.has(field),
  );
  requireComplete(context, missing, resolved.options, resolved.flags);
  return { ...resolved, input, missing };
}

/** Takes the address of a new customer from the input, and a type for their first job. */
async function hearCaller(
  context: CliContext,
  command: ParsedCommand,
  { clock }: Target,
): Promise<ParsedCommand> {
  const { input, operation, options } = command;
  const isNew = options.newCustomer !== undefined || options.phone !== undefined;
  if (operation.name !== "jobs.create" || !isNew) return command;
  const { askerOf } = await import("./fill-addresses.ts");
  const { readNewCustomer } = await import("../names/add-new-customer.ts");
  const caller = await readNewCustomer(options, input.body ?? {}, askerOf(context, options, clock));
  const { address_id: _, ...body } = input.body ?? {};
  // A new customer has no asset of the company yet, so the first job is a drop-off by default.
  return { ...command, caller, input: { ...input, body: { type: "D", ...body } } };
}

/** The fields of a job that the new customer gives. */
const ofCaller: ReadonlySet<string> = new Set(["address_id", "requested_by"]);

/** Last, because a job that is refused must not leave a customer behind. A dry run has its result already. */
async function placeCaller(
  context: CliContext,
  command: ParsedCommand,
  { client }: Target,
): Promise<{ command: ParsedCommand; result: CommandResult | null }> {
  const { caller, output } = command;
  if (caller === null) return { command, result: null };
  const { addNewCustomer } = await import("../names/add-new-customer.ts");
  const order = { ...command, tells: output === null || output.form === "table" };
  const { input, text } = await addNewCustomer(context, caller, order, client);
  return {
    command: { ...command, input },
    result: text === null ? null : { etag: null, kind: "json", text },
  };
}

async function findDouble({ dryRun, input: { body }, operation }: ParsedCommand, { client }: Target) {
  if (operation.name !== "customers.create" || typeof body?.name !== "string") return null;
  return (await import("../names/find-double.ts")).findDouble(client, { ...body, name: body.name }, dryRun);
}

/** `users create --location manchester` creates a user who sees Manchester only. */
function limitToLocation(command: ParsedCommand): ParsedCommand {
  const { input, options, presentation } = command;
  if (!presentation.limitsToLocation || options.location === undefined) return command;
  const limit = { location_id: Number(input.params.location_id) };
  return { ...command, input: { ...input, body: { ...limit, ...input.body } } };
}

async function fill(context: CliContext, command: ParsedCommand, target: Target, answered: string[] = []) {
  const { body } = command.operation;
  if (!Object.keys(body?.shape ?? {}).some((field) => addressFields.has(field))) return command.input;
  const { fillAddresses } = await import("./fill-addresses.ts");
  return fillAddresses(context, command, target, answered);
}

/** Fields that are or contain an address. */
const addressFields: ReadonlySet<string> = new Set(["address", "addresses", "line_1", "location"]);

async function resolve(context: CliContext, command: ParsedCommand, target: Target): Promise<ParsedCommand> {
  const { flags, operation, options, own, settings } = command;
  // Only typed values may be names. A body in a file has IDs.
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
    tells: command.output === null || command.output.form === "table",
    operation,
    input,
  };
  await resolveParams(resolving, own?.param ?? null);
  const records = own && (await resolveOwn(resolving, own.param, own.ids));
  const { followAnyLocation, followCustomer, followLocation } = await import("../names/follow-records.ts");
  await followLocation(resolving, settings.location);
  const fields = typed.filter(({ part }) => part !== "params");
  if (isNamedAddress(command)) {
    await resolveFields(
      resolving,
      fields.filter(({ field }) => field === "requested_by"),
    );
    const { addTypedAddress } = await import("../names/add-typed-address.ts");
    const { askerOf } = await import("./fill-addresses.ts");
    await addTypedAddress(resolving, askerOf(context, options, target.clock), command.dryRun);
  }
  await resolveFields(resolving, fields);
  await followAnyLocation(resolving, command.presentation);
  await followCustomer(resolving);
  if (typeFlag !== undefined) {
    await readTypeWord(target.client, typeFlag, input);
  }
  return { ...command, input, own: own && records && { ...own, ...toOwn(records) } };
}

const isNamedAddress = ({ input: { body }, operation: { name } }: ParsedCommand) =>
  name === "jobs.create" && typeof body?.address_id === "string";

/** Whether the type of a job is not the API's word. */
function isTypeWord({ input, operation }: ParsedCommand, { field, kind, part }: Flag): boolean {
  if (field !== "type" || !operation.name.startsWith("jobs.") || kind?.name !== "choice") return false;
  return !(kind.input.enum as unknown[]).includes(input[part]?.[field]);
}

/** Accepts the location's name or the everyday name of a job type. */
async function readTypeWord(
  client: Client,
  { field, part }: Flag,
  { [part]: values, params }: CommandInput,
): Promise<void> {
  const word = values?.[field];
  if (!values || typeof word !== "string") return;
  const location =
    params.location_id === undefined
      ? {}
      : await client.call("locations.get", {
          params: { location_id: Number(params.location_id) },
        });
  const { toTypeWords } = await import("../../sync/rows/type-words.ts");
  const type = toTypeWords(location).get(word.trim().toLowerCase());
  if (type) (values as Record<string, unknown>)[field] = type;
}

function toOwn(records: readonly OwnRecord[]) {
  const byId = new Map(records.map((record) => [record.id, record]));
  return { ids: [...byId.keys()], records: byId };
}

/** Reads the old record only if the reported line needs it. */
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
    // A dry run creates no customer.
    makesCustomers: command.operation.name === "jobs.create" && !command.dryRun,
    missing: asked,
    now: () => target.clock.now(),
    optional,
    typedAt: async () => {
      const { typedAt } = await import("./read-times.ts");
      return typedAt({ ...command, input }, target);
    },
  });
  const answered = asked.map(({ field }) => field);
  return {
    ...command,
    input: await fill(context, { ...command, input }, target, answered),
    missing: [],
  };
}

/** The missing fields about which a terminal always asks. */
function findDecisions(context: CliContext, command: ParsedCommand): Flag[] {
  const { flags, input, presentation } = command;
  const decisions = presentation.asks ?? [];
  // First, because a look at standard input loads Node's socket modules.
  if (decisions.length === 0 || !canAsk(context, command.options)) return [];
  return flags.filter(
    ({ part, field }) => part === "body" && decisions.includes(field) && !(field in (input.body ?? {})),
  );
}

/** Returns none if a whole body is given. */
function findOptional({ flags, input, options, presentation }: ParsedCommand): Flag[] {
  const also = options.body === undefined ? (presentation.alsoAsks ?? []) : [];
  return flags.filter(({ field, part }) => also.includes(field) && input[part]?.[field] === undefined);
}

/** Severe commands, and completions of jobs. */
const mayConfirm = (command: ParsedCommand) =>
  !command.dryRun && command.options.yes !== true && (isSevere(command) || isCompletion(command));
