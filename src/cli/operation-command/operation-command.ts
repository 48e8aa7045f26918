import { Command } from "commander";
import { accessOf, isDocument, type Operation, routeOf } from "../../core/operation.ts";
import { answersRecord, changesRecord, showsOne } from "../../core/precondition.ts";
import { DispatchError } from "../../errors/errors.ts";
import { ownIdOf } from "../../records/command-options.ts";
import {
  addListOptions,
  addOutputOptions,
  addSpanOptions,
  addTargetOptions,
  asOwn,
  collect,
  showFirst,
} from "../common-options.ts";
import type { CliContext } from "../context.ts";
import { FailedCommand } from "../input/failed-command.ts";
import { describeParameter, type Flag, isNeeded, toInputOptions } from "../input/flags.ts";
import { addressExample } from "../input/typed-address.ts";
import { type CommandOperations, isSevere, toCommandFlags } from "./command-operations.ts";
import { toExample } from "./to-example.ts";

const operationsByCommand = new WeakMap<Command, CommandOperations>();

/** undefined for a command without operations. */
export function operationsOf(command: Command): CommandOperations | undefined {
  return operationsByCommand.get(command);
}

/** The declaration of the operation determines the argument and options. */
export function toCommand(context: CliContext, verb: string, operations: CommandOperations): Command {
  const { summary } = operations.shorthand ?? operations.operation;
  const command = new Command(verb).summary(summary).description(`${summary}.`);
  operationsByCommand.set(command, operations);
  const flags = toCommandFlags(operations);
  const param = ownIdOf(operations.operation);
  if (param) addIdArgument(command, operations, param);
  addInputOptions(command, operations, flags);
  addEffectOptions(command, operations);
  addTargetOptions(command, accessOf(operations.operation));
  addAnswerOptions(command, operations.operation, flags);
  addHelpTexts(command, operations, flags);
  showFirst(command, findFirst(operations, flags));
  return command.action(async (...values: unknown[]) => {
    const own = param ? { param, words: [values[0]].flat().map(String) } : null;
    const { runOperation } = await import("./run-operation.ts");
    await runOperation(context, { operations, flags, own, options: command.opts() }).catch(
      (error: unknown) => {
        throw error instanceof DispatchError ? new FailedCommand(error, flags) : error;
      },
    );
  });
}

function addIdArgument(command: Command, { operation, shorthand }: CommandOperations, param: string): void {
  const described = describeParameter(param, operation.params[param]);
  if (shorthand)
    command.argument("<id...>", `${described}; several run in order, - reads them from standard input`);
  else command.argument("<id>", described);
}

function addInputOptions(
  command: Command,
  { operation, presentation, atLocation, shorthand }: CommandOperations,
  flags: readonly Flag[],
): void {
  command.optionsGroup("Input:");
  for (const option of toInputOptions(flags, presentation)) {
    // The version of a webhook or token is not the response's version.
    command.addOption(option.long === "--api-version" ? asOwn(option) : option);
  }
  if (flags.some(({ field }) => field === "line_1"))
    command.option("--address <line>", `the whole address in one line, like "${addressExample}"`);
  if (operation.name === "jobs.create") addCallerOptions(command);
  if (presentation.spans) addSpanOptions(command);
  if (presentation.beginsOpen) command.option("--all-states", "show completed, failed, and deleted jobs too");
  if (atLocation) command.option("--location <name>", "only records of this location");
  if (operation.body && !shorthand)
    command.option(
      "--body <file>",
      "the whole body as JSON, - for standard input; options override its fields",
    );
}

/** An order of a new caller is typed while the caller waits, so its options have short forms. */
function addCallerOptions(command: Command): void {
  const given = command.options.filter(({ long }) => long === "--requested-by" || long === "--type");
  for (const option of given)
    option.description = option.description.replace(/(?<=required)(?=\)$)/, " without -n");
  command
    .option(
      "-n, --new-customer <name>",
      "create this customer too; --address is its address in one line, --type is D by default",
    )
    .option("-p, --phone <number>", "phone number of the new customer")
    .option("-a <line>", "the same as --address")
    .on("option:a", (line: string) => command.setOptionValue("addressId", line));
}

function addEffectOptions(command: Command, operations: CommandOperations): void {
  const { effect } = operations.operation;
  if (operations.shorthand) command.option("--atomic", "change all of several records, or none");
  if (effect === "write" || effect === "delete")
    command.option("--dry-run", "check everything, store nothing, and show the result");
  if (changesRecord(operations.operation))
    command.option("--if-match <etag>", "change it only if it still has this entity tag (--etag)");
  if (isSevere(operations)) command.option("--yes", "do not ask");
}

function addAnswerOptions(command: Command, operation: Operation, flags: readonly Flag[]): void {
  const { effect } = operation;
  if (isDocument(operation.output)) addFileOptions(command);
  else
    addOutputOptions(
      command,
      flags.some(({ name }) => name === "api-version"),
    );
  if (effect === "write" || effect === "delete")
    command.option("--show", "show the whole record, not one line");
  if (!isDocument(operation.output) && !("page_limit" in operation.query))
    command.option("--all-fields", "show every field of the record, with its API name");
  if (showsOne(operation) || answersRecord(operation))
    command
      .optionsGroup("Output:")
      .option("--etag", "show only the entity tag of the record, for --if-match");
  if ("page_limit" in operation.query) addListOptions(command);
}

function addFileOptions(command: Command): void {
  command
    .optionsGroup("Output:")
    .option("--out <file>", "write to this file, - for standard output; by default the document's own name")
    .option("--font <file>", "font for characters that the embedded one lacks; repeatable", collect, [])
    .option("--api-version <version>", "API version to call (DISPATCH_API_VERSION)");
}

function addHelpTexts(command: Command, operations: CommandOperations, flags: readonly Flag[]): void {
  const { operation, presentation, shorthand } = operations;
  const example = toExample(operations);
  const notes = shorthand ? undefined : presentation.notes;
  const emptied = routeOf(operation).method === "PATCH" ? findEmptied(flags) : undefined;
  if (emptied) command.addHelpText("after", `\nAn empty value empties a field: --${emptied.name} ""`);
  if (notes) command.addHelpText("after", `\n${notes}`);
  if (example) command.addHelpText("after", `\nExample:\n  dispatch-cli ${example}`);
}

/** Required options, options of the example, and options that a terminal asks for. */
function findFirst(operations: CommandOperations, flags: readonly Flag[]): string[] {
  const { alsoAsks = [], asks = [], common = [] } = operations.presentation;
  const words = (toExample(operations) ?? "").split(" ");
  const at = ({ name, spokenName }: Flag) => words.findIndex((word) => word === `--${spokenName ?? name}`);
  const required = flags.filter(isNeeded).toSorted((a, b) => at(a) - at(b));
  const others = [...asks, ...alsoAsks, ...common].map((field) => field.replaceAll("_", "-"));
  return [...required.map(({ name }) => name), ...others];
}

/** An example of a field to empty. */
function findEmptied(flags: readonly Flag[]): Flag | undefined {
  const kinds: unknown[] = ["text", "timestamp", "integer"];
  return flags.find(({ emptiesField, kind }) => emptiesField && kinds.includes(kind?.name));
}
