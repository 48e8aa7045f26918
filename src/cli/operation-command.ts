import { Command } from "commander";
import type { CallAnswer, CallRequest } from "../core/caller.ts";
import { isDocument, type Operation, type VerbHints } from "../core/operation.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../versions/change.ts";
import { callEach, readIds } from "./call-each.ts";
import { addListOptions, addOutputOptions, addTargetOptions, checkOutputOptions } from "./common-options.ts";
import type { OptionValues } from "./context.ts";
import { type CliContext, isInteractive } from "./context.ts";
import { FailedCommand } from "./input/failed-command.ts";
import { describeParameter, type Flag, optionKey, ownIdOf, toFlags, toOption } from "./input/flags.ts";
import { type CommandInput, findMissing, readInput } from "./input/input.ts";
import type { OutputOptions } from "./output/format.ts";
import { showAnswer, toOutputOptions } from "./output/show.ts";
import { writeDocument } from "./output/write-document.ts";
import { requireYes } from "./prompts/require-yes.ts";
import { readSettings } from "./settings.ts";
import { openTarget, type Target } from "./target/target.ts";

/** The operations that serve one command: by default one, of lists another when --location is given. */
export interface CommandOperations {
  operation: Operation;
  atLocation: Operation | null;
  /** The command stands for a part of the operation only. */
  shorthand?: VerbHints;
}

const operationsByCommand = new WeakMap<Command, CommandOperations>();

/** The operations that a command serves; undefined for one that is no operation. */
export function operationsOf(command: Command): CommandOperations | undefined {
  return operationsByCommand.get(command);
}

/** Makes the command of an operation: argument and options come from its declaration. */
export function toCommand(context: CliContext, verb: string, operations: CommandOperations): Command {
  const { operation, atLocation, shorthand } = operations;
  const { summary } = shorthand ?? operation;
  const { example } = shorthand ?? operation.cli ?? {};
  const notes = shorthand ? undefined : operation.cli?.notes;
  const command = new Command(verb).summary(summary).description(`${summary}.`);
  operationsByCommand.set(command, operations);
  const ownId = ownIdOf(operation);
  if (ownId) {
    const described = describeParameter(ownId, operation.params[ownId]);
    if (shorthand) command.argument("<id...>", `${described}; several one after the other, - reads them`);
    else command.argument("<id>", described);
  }
  command.optionsGroup("Input:");
  const flags = toCommandFlags(operations);
  for (const flag of flags) command.addOption(toOption(flag));
  for (const [name, { summary }] of Object.entries(operation.cli?.shorthands ?? {}))
    command.option(`--${name}`, summary);
  if (atLocation) command.option("--location <id>", "only those of this location");
  if (operation.body && !shorthand)
    command.option(
      "--body <file>",
      "the whole body as JSON, - for standard input; options override its fields",
    );
  addEffectOptions(command, operations);
  addTargetOptions(command, operation.access);
  if (isDocument(operation.output)) addFileOptions(command);
  else
    addOutputOptions(
      command,
      flags.some(({ name }) => name === "api-version"),
    );
  if (isList(operation)) addListOptions(command);
  const emptied = operation.method === "PATCH" ? findEmptied(flags) : undefined;
  if (emptied) command.addHelpText("after", `\nAn empty value empties a field: --${emptied.name} ""`);
  if (notes) command.addHelpText("after", `\n${notes}`);
  if (example) command.addHelpText("after", `\nExample:\n  dispatch-cli ${example}`);
  command.action(async (...values: unknown[]) => {
    const own = ownId ? { name: ownId, words: [values[0]].flat().map(String) } : null;
    await runCommand(context, operations, own, command.opts()).catch((error: unknown) => {
      throw error instanceof DispatchError ? new FailedCommand(error, flags) : error;
    });
  });
  return command;
}

const isList = ({ query }: Operation) => "page_limit" in query;

/** A field that people would empty, to show how. */
function findEmptied(flags: readonly Flag[]): Flag | undefined {
  const kinds: unknown[] = ["text", "timestamp", "integer"];
  return flags.find(({ emptiesField, kind }) => emptiesField && kinds.includes(kind?.name));
}

/** The options that are fields: of a shorthand the path's, and those of the body that it keeps. */
function toCommandFlags({ operation, shorthand }: CommandOperations): Flag[] {
  const flags = toFlags(operation);
  if (!shorthand) return flags;
  const { keeps, requires = [] } = shorthand;
  return flags
    .filter(({ field, part }) => part !== "body" || keeps.includes(field))
    .map((flag) => ({ ...flag, isRequired: flag.isRequired || requires.includes(flag.field) }));
}

function isSevere({ operation, shorthand }: CommandOperations): boolean {
  return operation.effect === "delete" || shorthand?.isSevere === true;
}

function addEffectOptions(command: Command, operations: CommandOperations): void {
  const { effect, body } = operations.operation;
  if (effect === "write" || effect === "delete")
    command.option("--dry-run", "check everything, store nothing, show what would be");
  if (isSevere(operations)) command.option("--yes", "do not ask");
  if (body || effect === "delete") command.option("--no-input", "never ask; what is missing is an error");
}

function addFileOptions(command: Command): void {
  command
    .optionsGroup("Output:")
    .option("--out <file>", "write to this file, - for standard output; by default the document's own name")
    .option("--font <file>", "font for characters that the embedded one lacks; repeatable", collect, [])
    .option("--api-version <version>", "API version to call (DISPATCH_API_VERSION)");
}

const collect = (file: string, files: string[]) => [...files, file];

async function runCommand(
  context: CliContext,
  operations: CommandOperations,
  own: { name: string; words: string[] } | null,
  options: OptionValues,
): Promise<void> {
  const { operation: general, atLocation, shorthand } = operations;
  const isAtLocation = atLocation !== null && typeof options.location === "string";
  const operation = isAtLocation ? atLocation : general;
  const settings = readSettings(context, options);
  const version = settings.apiVersion.value ?? operation.lifetime?.until ?? newestVersion;
  checkOutputOptions(options);
  const output = isDocument(operation.output)
    ? null
    : toOutputOptions(context, settings, operation, version, options);
  const flags = toCommandFlags(operations);
  const ids = shorthand && own ? await readIds(context, own.words) : (own?.words ?? []);
  const ownId = own && { name: own.name, value: ids.join(", ") };
  const input = await readInput(context, operation, flags, ownId, options);
  addShorthandQuery(general, options, input.query);
  if (isAtLocation) input.params.location_id = String(options.location);
  if (shorthand) input.body = { ...input.body, ...shorthand.body };
  const missing = findMissing(flags, input);
  requireComplete(context, missing, options, flags);
  const target = await openTarget(context, settings, {
    ...(operation.access && { access: operation.access }),
    anyTenant: operation.withoutTenant === true,
    fonts: (options.font as string[] | undefined) ?? [],
  });
  try {
    // Asked only now: nobody should answer questions for a target that is not there.
    const asked = [...missing, ...findAsked(context, operation, flags, input, options)];
    if (asked.length > 0) await askFor(context, asked, { flags, input, operation, target });
    if (isSevere(operations))
      await confirmSevere(context, { operation, shorthand }, target, ownId, input.params, options);
    const dryRun = options.dryRun === true;
    if (output && (options.all === true || options.watch === true))
      return await showList(context, target, operation, { ...input, dryRun, version }, output, options);
    const call = (params: CommandInput["params"]) =>
      target.caller.call(operation, { ...input, params, version, dryRun });
    if (own && output && ids.length > 1) {
      const callOne = (id: string) => call({ ...input.params, [own.name]: id });
      await callEach(context, { noun: toNoun(operation), ids, output, call: callOne }).finally(() =>
        tellDryRun(context, options),
      );
      return;
    }
    const answer = await call(input.params);
    if (answer.kind === "file") writeDocument(context, answer, options.out);
    else if (output) await showAnswer(context, answer.text, output, options.pager !== false);
    if (answer.kind === "json" && output?.form === "table" && options.dryRun !== true)
      tellNext(context, operation, answer.text);
    tellDryRun(context, options);
    if (answer.kind === "json") checkAnswer(operation, answer.text);
  } finally {
    await target.caller.close();
  }
}

/** More than one page, or a page more than once. */
async function showList(
  context: CliContext,
  { caller }: Target,
  operation: Operation,
  request: CallRequest,
  output: OutputOptions,
  options: OptionValues,
): Promise<void> {
  if (options.all === true) {
    const { showAll } = await import("./lists/show-all.ts");
    const { walkPages } = await import("../core/lists/walk-records.ts");
    return showAll(context, walkPages(caller, operation, request), output, options.pager !== false);
  }
  const { watchList } = await import("./lists/watch-list.ts");
  await watchList(context, async () => toJsonText(await caller.call(operation, request)), output);
}

const toJsonText = (answer: CallAnswer) => (answer.kind === "json" ? answer.text : "");

async function askFor(
  context: CliContext,
  missing: readonly Flag[],
  {
    flags,
    input,
    operation,
    target,
  }: { flags: Flag[]; input: CommandInput; operation: Operation; target: Target },
): Promise<void> {
  const { askForMissing } = await import("./prompts/prompts.ts");
  const { nowAt } = await import("./target/now-at.ts");
  const also = operation.cli?.alsoAsks ?? [];
  const optional = flags.filter(
    ({ field, part }) => also.includes(field) && input[part]?.[field] === undefined,
  );
  const now = () => nowAt(target);
  await askForMissing(context, { caller: target.caller, input, missing, now, optional });
}

function tellDryRun({ stderr }: CliContext, options: OptionValues): void {
  if (options.dryRun === true) stderr.write("dry run: nothing was stored\n");
}

function tellNext(context: CliContext, { cli }: Operation, text: string): void {
  if (cli?.next) context.stderr.write(`${cli.next(JSON.parse(text) as JsonObject)}\n`);
}

/** What options such as --active stand for; refuses two that contradict each other. */
export function addShorthandQuery(
  { cli }: Operation,
  options: OptionValues,
  query: Record<string, string>,
): void {
  for (const [name, shorthand] of Object.entries(cli?.shorthands ?? {})) {
    if (options[name] !== true) continue;
    for (const [field, value] of Object.entries(shorthand.query)) {
      const other = query[field];
      if (other !== undefined && other !== value) {
        throw failure(
          "usage",
          `--${name} means ${field} ${value}, and another option says ${field} ${other}.`,
        );
      }
      query[field] = value;
    }
  }
}

/** Where there is nobody to ask, names all required values that are missing. */
function requireComplete(
  context: CliContext,
  missing: readonly Flag[],
  options: OptionValues,
  flags: readonly Flag[],
): void {
  // Standard input that was read to its end for a value has no answers left.
  const isInputSpent =
    options.body === "-" || flags.some((flag) => flag.isSecret && options[optionKey(flag)] === "-");
  if (missing.length === 0 || (isInteractive(context) && options.input !== false && !isInputSpent)) return;
  throw failure("usage", `Missing: ${missing.map(({ name }) => `--${name}`).join(", ")}.`);
}

/** What a person at a terminal is to decide, unless it was decided already. */
function findAsked(
  context: CliContext,
  { cli }: Operation,
  flags: readonly Flag[],
  { body }: CommandInput,
  options: OptionValues,
): Flag[] {
  if (!isInteractive(context) || options.input === false || options.body === "-") return [];
  return flags.filter(
    ({ part, field }) => part === "body" && cli?.asks?.includes(field) && !(field in (body ?? {})),
  );
}

/** Severe commands ask first, showing what they would act on. */
async function confirmSevere(
  context: CliContext,
  { operation, shorthand }: { operation: Operation; shorthand: VerbHints | undefined },
  target: Target,
  ownId: { name: string; value: string } | null,
  params: Readonly<Record<string, string>>,
  options: OptionValues,
): Promise<void> {
  if (options.dryRun === true) return;
  const where = `${target.name}, tenant ${target.tenant.id} (${target.tenant.name})`;
  const noun = toNoun(operation);
  const others = Object.entries(params).filter(([name]) => name !== ownId?.name);
  const around = others
    .map(([name, id]) => `, ${name.replace(/_id$/, "").replaceAll("_", " ")} ${id}`)
    .join("");
  const what = shorthand?.summary ?? operation.summary;
  const several = ownId?.value.includes(",") ? "s" : "";
  await requireYes(
    context,
    `${what}: ${noun}${several} ${ownId?.value ?? ""}${around} in ${where}?`,
    options,
  );
}

/** What people call one record of an operation's noun: `asset-types` are each an asset type. */
function toNoun({ name }: Operation): string {
  const [noun = ""] = name.split(".", 1);
  return noun.replace(/(?<=ss)es$|s$/, "").replaceAll("-", " ");
}

/** A ping that did not go well is an answer, and the command's exit code says that it is "no". */
function checkAnswer(operation: Operation, text: string): void {
  if (operation.name !== "hooks.ping") return;
  const { http_status, message } = JSON.parse(text) as { http_status: number; message: string };
  if (http_status < 200 || http_status > 299) throw failure("ping_failed", message);
}
