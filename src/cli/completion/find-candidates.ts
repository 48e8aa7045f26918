import type { Argument, Command, Option } from "commander";
import { type ErrorCode, errorKind, errorTable } from "../../errors/errors.ts";
import { apiVersions } from "../../models/api-versions.ts";
import { fieldKinds } from "../../models/fields.ts";
import { unwrap } from "../../models/parse.ts";
import { doesSomething, generalOptionsAlone, splitGeneralOptions } from "../common-options.ts";
import type { CliContext } from "../context.ts";
import { helpTopics } from "../help/topics.ts";
import { type Flag, optionKey, toFlags } from "../input/flags.ts";
import { operationsOf } from "../operation-command/operation-command.ts";
import { outputForms } from "../output/options.ts";
import { findProfile, profileNames } from "../profiles/profiles.ts";
import type { Program } from "../program.ts";
import type { Candidate, Candidates, Given, ShellLine } from "./replies.ts";

export async function findCandidates(
  context: CliContext,
  program: Program,
  { current, words: [, ...typed] }: Pick<ShellLine, "current" | "words">,
): Promise<Candidates> {
  const { given, isUnfinished, words } = splitGeneralOptions(typed);
  const path = words[0] === "help" ? words.slice(1) : words;
  const tree = await program.commandTree(path);
  const { command, rest } = findCommand(tree, path);
  if (isUnfinished || (current.startsWith("-") && !doesSomething(command)))
    return findForOptions(context, generalOptionsAlone(), given, current);
  if (command.commands.length > 0) {
    if (rest.length > 0) return [];
    const topics = words[0] === "help" && command === tree ? helpTopics : {};
    const own = command === tree && words.length === 0 ? [{ value: "help", description: "show help" }] : [];
    return [...toCommands(command), ...toTopics(topics), ...own];
  }
  return findForOptions(context, command, [...given, ...rest], current);
}

async function findForOptions(
  context: CliContext,
  command: Command,
  rest: readonly string[],
  current: string,
): Promise<Candidates> {
  const spot = findSpot(command, rest, current);
  if (spot.kind === "option names") return toOptionNames(command, rest);
  // In a list, the current value begins after the last comma.
  const typed = current.slice(spot.before.length);
  const candidates = await findValues(context, command, spot, { rest, typed });
  if (candidates === "files") return candidates;
  return candidates.map(({ value, description }) => ({ value: spot.before + value, description }));
}

function findCommand(tree: Command, words: readonly string[]): { command: Command; rest: string[] } {
  const next = tree.commands.find((command) => command.name() === words[0]);
  return next ? findCommand(next, words.slice(1)) : { command: tree, rest: [...words] };
}

const toCommands = (command: Command): Candidate[] =>
  command.commands.map((child) => ({
    value: child.name(),
    description: child.summary() || child.description(),
  }));

const toTopics = (topics: Partial<typeof helpTopics>): Candidate[] =>
  Object.entries(topics).map(([value, topic]) => ({ value, description: topic?.summary ?? "" }));

/** `before` is the fixed text before the word. */
type Spot =
  | { kind: "option names"; before: string }
  | { kind: "value"; option: Option; before: string }
  | { kind: "argument"; argument: Argument | undefined; before: string };

function findSpot(command: Command, rest: readonly string[], current: string): Spot {
  const [, name, text = ""] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  const written = optionNamed(command, name);
  if (written) return toValueSpot(written, text, `${name}=`);
  const before = optionNamed(command, rest.at(-1));
  if (before && takesWord(before, current)) return toValueSpot(before, current, "");
  if (current.startsWith("-")) return { kind: "option names", before: "" };
  const index = toArguments(command, rest).length;
  return { kind: "argument", argument: command.registeredArguments[index], before: "" };
}

/** A Boolean may have no value. */
function takesWord({ optional, required }: Option, word: string): boolean {
  return required || (optional && !word.startsWith("-"));
}

/** The value of a list option begins after the last comma. */
function toValueSpot(option: Option, text: string, before: string): Spot {
  return { kind: "value", option, before: before + text.slice(0, text.lastIndexOf(",") + 1) };
}

function optionNamed(command: Command, word: string | undefined): Option | undefined {
  return word === undefined
    ? undefined
    : command.options.find(({ long, short }) => word === long || word === short);
}

function toArguments(command: Command, rest: readonly string[]): string[] {
  return rest.filter((word, index) => {
    const before = optionNamed(command, rest[index - 1]);
    return !word.startsWith("-") && !(before && takesWord(before, word));
  });
}

function toOptionNames(command: Command, rest: readonly string[]): Candidate[] {
  const options = command.options.filter(({ hidden, long, parseArg }) => {
    const isRepeated = parseArg !== undefined;
    return !hidden && long && (isRepeated || !rest.includes(long));
  });
  const named = options.map(({ description, long }) => ({ value: long ?? "", description }));
  return [
    ...named,
    { value: "--help", description: "show the command's help" },
    { value: "--help-all", description: "show every option" },
  ];
}

const fixedValues: Readonly<Record<string, (context: CliContext) => Candidate[]>> = {
  "--output": () => plain(outputForms),
  "--api-version": () => plain(apiVersions),
  "--profile": profileCandidates,
};

const plain = (values: readonly string[]) => values.map((value) => ({ value, description: "" }));

function profileCandidates(context: CliContext): Candidate[] {
  return profileNames(context).map((value) => {
    const { data, url } = findProfile(context, value).values;
    return { value, description: url ?? data ?? "" };
  });
}

async function findValues(
  context: CliContext,
  command: Command,
  spot: Exclude<Spot, { kind: "option names" }>,
  { rest, typed }: { rest: readonly string[]; typed: string },
): Promise<Candidates> {
  const given = toGiven(command, rest);
  if (spot.kind === "argument") return findArguments(context, command, spot.argument, { given, typed });
  const { option } = spot;
  const fixed = fixedValues[option.long ?? ""];
  if (fixed) return fixed(context);
  if (option.argChoices) return plain(option.argChoices);
  if (/<(file|store)>$/.test(option.flags)) return "files";
  const operations = operationsOf(command);
  const flag = operations && toFlags(operations.operation).find(({ name }) => `--${name}` === option.long);
  const words = flag ? enumOf(flag) : [];
  if (words.length > 0) return plain(words);
  const { findFields, findReferences } = await import("./find-references.ts");
  if (option.long === "--fields") return operations ? findFields(operations.operation) : [];
  return findReferences(context, flag?.field ?? option.attributeName(), { given, typed });
}

async function findArguments(
  context: CliContext,
  command: Command,
  argument: Argument | undefined,
  line: { given: Given; typed: string },
): Promise<Candidates> {
  if (!argument) return [];
  if (argument.argChoices) return plain(argument.argChoices);
  const noun = command.parent?.name() ?? "";
  const ownValues = argumentValues[`${noun} ${command.name()}`];
  if (ownValues) return ownValues(context);
  if (argument.name() === "file" || argument.name() === "store") return "files";
  const operations = operationsOf(command);
  if (!operations) return [];
  const { findOwnRecords } = await import("./find-references.ts");
  return findOwnRecords(context, noun, operations.shorthand, line);
}

const argumentValues: Readonly<Record<string, (context: CliContext) => Candidate[]>> = {
  "dispatch-cli explain": errorCandidates,
  "profiles remove": profileCandidates,
  "profiles show": profileCandidates,
  "profiles use": profileCandidates,
};

function errorCandidates(): Candidate[] {
  return Object.keys(errorTable).map((value) => ({
    value,
    // The keys of the table are exactly the codes.
    description: errorKind(value as ErrorCode).title,
  }));
}

function enumOf({ isList, kind, schema }: Flag): string[] {
  if (kind?.name === "boolean") return ["true", "false"];
  const element = isList && "element" in schema ? unwrap(schema.element as typeof schema) : schema;
  const words = (kind ?? fieldKinds.get(element))?.input.enum;
  return Array.isArray(words) ? words.map(String) : [];
}

function toGiven(command: Command, rest: readonly string[]): Given {
  const given: Record<string, string> = {};
  for (const [index, word] of rest.entries()) {
    const [, name = word, text] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    const option = optionNamed(command, name);
    const value = text ?? rest[index + 1];
    if (option?.required && value !== undefined) given[optionKey({ name: option.name() })] = value;
  }
  return given;
}
