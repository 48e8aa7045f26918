import { type Argument, Command, CommanderError, Option } from "commander";
import type { Access } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import { apiVersions } from "../models/api-versions.ts";
import type { OptionValues } from "./context.ts";
import { type GeneralOptionName, generalOptionNames, generalOptions } from "./general-options.ts";

const commonOptions = new WeakSet<Option>();

export function isCommon(option: Option): boolean {
  return commonOptions.has(option);
}

function commonOption(flags: string, about: string): Option {
  const option = new Option(flags, about);
  commonOptions.add(option);
  return option;
}

const places = new WeakMap<Option, number>();

/** null for an option that help does not show first. */
export function placeOf(option: Option): number | null {
  return places.get(option) ?? null;
}

export function showFirst(command: Command, names: readonly string[]): Command {
  for (const option of command.options) {
    const place = names.findIndex((name) => `--${name}` === option.long || `--${name}` === option.short);
    if (place >= 0) places.set(option, place);
  }
  return command;
}

const ownMeanings = new WeakSet<Option>();

/** Marks an option that shares a general option's name with another meaning. Only its own command sets it. */
export function asOwn(option: Option): Option {
  ownMeanings.add(option);
  return option;
}

export function isGeneral(option: Option): boolean {
  return !ownMeanings.has(option);
}

export function doesSomething({ commands, registeredArguments }: Command): boolean {
  return commands.length === 0 || registeredArguments.length > 0;
}

/** An option without a meaning for the command does nothing. */
export function addGeneralOptions(command: Command): Command {
  for (const name of generalOptionNames)
    if (!takes(command, name)) command.addOption(toGeneral(name).hideHelp());
  return command;
}

/** Parses general options before a command. */
export function generalOptionsAlone(): Command {
  return addMeant(new Command(), generalOptionNames);
}

/** The command line without general options before noun and verb. */
export interface SplitWords {
  words: readonly string[];
  given: readonly string[];
  /** The output format of those options. */
  form: string | null;
  /** The value of the last option is missing. */
  isUnfinished: boolean;
}

/** Noun and verb decide what to load before parsing. */
export function splitGeneralOptions(argv: readonly string[]): SplitWords {
  const path: string[] = [];
  const given: string[] = [];
  let form: string | null = null;
  let rest = [...argv];
  while (rest.length > 0 && path.length < 2) {
    const parser = generalOptionsAlone()
      .passThroughOptions()
      .exitOverride()
      .configureOutput({ writeErr: drop });
    try {
      const { operands, unknown } = parser.parseOptions(rest);
      form = parser.opts<{ output?: string }>().output ?? form;
      given.push(...rest.slice(0, rest.length - operands.length - unknown.length));
      rest = operands.length > 0 ? operands : unknown;
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return { words: path, given: [...given, ...rest], form, isUnfinished: true };
    }
    const [word] = rest;
    if (word === undefined || word.startsWith("-")) break;
    path.push(word);
    rest.shift();
  }
  return { words: [...path, ...rest], given, form, isUnfinished: false };
}

const drop = () => undefined;

/** Finds the output format anywhere, even after unknown words. */
export function findForm(argv: readonly string[]): string | null {
  const parser = generalOptionsAlone().exitOverride().configureOutput({ writeErr: drop });
  try {
    parser.parseOptions([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return parser.opts<{ output?: string }>().output ?? null;
}

/** A verb gets the general options before it. Options after it are its own: `day print --utc`. */
export function passOn(command: Command): Command {
  const given: { name: GeneralOptionName; word: string }[] = [];
  for (const name of generalOptionNames)
    command.on(`option:${name}`, (value?: string) =>
      given.push({ name, word: value === undefined ? `--${name}` : `--${name}=${value}` }),
    );
  command.enablePositionalOptions();
  return command.hook("preSubcommand", (_, verb) => {
    for (const { name, word } of given.splice(0)) {
      const option = verb.options.find(({ long }) => long === `--${name}`);
      if (option && isGeneral(option)) verb.parseOptions([word]);
    }
  });
}

function takes(command: Command, name: GeneralOptionName): boolean {
  return command.options.some(({ long }) => long === `--${name}`);
}

function toGeneral(name: GeneralOptionName, about: string = generalOptions[name].about): Option {
  return commonOption(generalOptions[name].flags, about).hideHelp("isRare" in generalOptions[name]);
}

function addMeant(command: Command, names: readonly GeneralOptionName[]): Command {
  for (const name of names) if (!takes(command, name)) command.addOption(toGeneral(name));
  return command;
}

/** Includes the user, unless `access` admits everyone. */
export function addTargetOptions(command: Command, access: Access | null = null): Command {
  addMeant(command.optionsGroup("Times:"), ["utc", "date-order"]);
  addMeant(command.optionsGroup("Target:"), ["profile", "data", "secret-key-file"]);
  // A command for stores also accepts --url, to explain the refusal.
  if (access === "store") return command;
  if (access === "anyone")
    return command.addOption(toGeneral("url", "server to work on (DISPATCH_URL); no token is needed"));
  return addMeant(command, ["url", "token-file", "insecure", "tenant", "as", "location"]);
}

export function addInsecureOption(command: Command): Command {
  return addMeant(command, ["insecure"]);
}

export function addProfileOption(command: Command): Command {
  return addMeant(command, ["profile"]);
}

/** `hasOwnVersion`: --api-version belongs to a token or webhook, so the response has no version. */
export function addOutputOptions(command: Command, hasOwnVersion: boolean): Command {
  addMeant(command.optionsGroup("Output:"), ["output", "fields"])
    .addOption(commonOption("-q, --quiet", "print only IDs, one per line"))
    .addOption(rawCsvOption());
  return addMeant(command, [...(hasOwnVersion ? [] : ["api-version" as const]), "no-color", "no-pager"]);
}

const rawCsvOption = () =>
  commonOption("--raw-csv", "in csv, keep text that a spreadsheet would run as a formula");

export function addListOptions(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--all", "show all pages as one list")
    .option("--watch", "refresh the list when it changes, until Ctrl-C");
}

export function addSpanOptions(command: Command): Command {
  return command
    .option("--from <time>", "scheduled at or after this time: today, fri, 12/1, tomorrow 8:00")
    .option("--to <time>", "scheduled on or before this time; a date includes the whole day");
}

export function addExportOptions(command: Command): Command {
  command
    .optionsGroup("Output:")
    .option("--out <file>", "write to this file: .csv, .ndjson, .json, or .xlsx; - for standard output")
    .option(
      "-o, --output <form>",
      "csv, ndjson or json (DISPATCH_OUTPUT); default: the file's extension, else ndjson",
    )
    .option("--columns, --fields <names>", "write these columns in this order, separated by commas")
    .addOption(rawCsvOption())
    .option("--resume", "resume an interrupted export to the same file")
    .option("--yes", "replace an existing file");
  return addMeant(command, ["no-input", "api-version", "no-color"]);
}

export function checkOutputOptions(options: OptionValues): void {
  const pairs = [
    ["all", "watch"],
    ["all", "pageIndex"],
    ["quiet", "output"],
    ["quiet", "fields"],
  ] as const;
  for (const [one, other] of pairs) {
    if (options[one] !== true || options[other] === undefined) continue;
    const name = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw failure("usage", `Use either --${one} or --${name}, not both.`);
  }
}

export function versionOption(description: string): Option {
  return asOwn(new Option("--api-version <version>", `${description}: ${apiVersions.join(", ")}`));
}

export function addFormOption(command: Command): Command {
  addProfileOption(command);
  if (takes(command, "output")) return command;
  return command.addOption(toGeneral("output", "table or json (DISPATCH_OUTPUT)"));
}

export interface NamedLeaf {
  command: Command;
  path: readonly string[];
}

export function* walkCommands(root: Command, path: readonly string[] = []): Generator<NamedLeaf> {
  for (const command of root.commands) {
    const own = [...path, command.name()];
    if (doesSomething(command)) yield { command, path: own };
    yield* walkCommands(command, own);
  }
}

export function toArgumentWord(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Parses an option that may be repeated. */
export const collect = (text: string, texts: readonly string[] = []) => [...texts, text];
