import { Command, CommanderError, Option } from "commander";
import type { Access } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import { apiVersions } from "../models/api-versions.ts";
import type { OptionValues } from "./context.ts";
import { type GeneralOptionName, generalOptionNames, generalOptions } from "./general-options.ts";

const commonOptions = new WeakSet<Option>();

/** Whether many commands have the option: their help tells of it in one line, unless `--help-all` asks for more. */
export function isCommon(option: Option): boolean {
  return commonOptions.has(option);
}

function commonOption(flags: string, about: string): Option {
  const option = new Option(flags, about);
  commonOptions.add(option);
  return option;
}

const ownMeanings = new WeakSet<Option>();

/** Marks an option that is called like a general one and means something else: only what follows its command gives it. */
export function asOwn(option: Option): Option {
  ownMeanings.add(option);
  return option;
}

/** Whether an option that stands before the noun gives it its value. */
export function isGeneral(option: Option): boolean {
  return !ownMeanings.has(option);
}

/** Whether a command is more than the noun of others: `day` has verbs, and works without one. */
export function doesSomething({ commands, registeredArguments }: Command): boolean {
  return commands.length === 0 || registeredArguments.length > 0;
}

/** Has the command take every general option. Those that it lacks mean nothing there: they are taken and do nothing. */
export function addGeneralOptions(command: Command): Command {
  for (const name of generalOptionNames)
    if (!takes(command, name)) command.addOption(toGeneral(name).hideHelp());
  return command;
}

/** The general options alone, for what stands before a command. */
export function generalOptionsAlone(): Command {
  return addMeant(new Command(), generalOptionNames);
}

/** A command line, of which the parser took the general options that stand before its noun and its verb. */
export interface SplitWords {
  words: readonly string[];
  /** Those options, with their values. */
  given: readonly string[];
  /** The form of the output that they name; null for none. */
  form: string | null;
  /** The value of the last one is still to come. */
  isUnfinished: boolean;
}

/** Finds the noun and the verb, which say what is to be loaded before the line can be parsed. */
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

/** The form of output that a line names anywhere, also behind words and options that no command knows. */
export function findForm(argv: readonly string[]): string | null {
  const parser = generalOptionsAlone().exitOverride().configureOutput({ writeErr: drop });
  try {
    parser.parseOptions([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return parser.opts<{ output?: string }>().output ?? null;
}

/**
 * Has a command pass the general options that stand before its verb on to the verb. The options after the verb are the
 * verb's, also where the command takes the same ones: `day print --utc`.
 */
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

/** Adds general options that mean something to the command, unless it has its own of that name. */
function addMeant(command: Command, names: readonly GeneralOptionName[]): Command {
  for (const name of names) if (!takes(command, name)) command.addOption(toGeneral(name));
  return command;
}

/** Adds the options that say where a command works, and as whom unless `access` lets everybody in. */
export function addTargetOptions(command: Command, access: Access | null = null): Command {
  addMeant(command.optionsGroup("Times:"), ["utc", "date-order"]);
  addMeant(command.optionsGroup("Target:"), ["profile", "data", "secret-key-file"]);
  // A command of stores takes the option too, so that its refusal can say why.
  if (access === "store") return command;
  if (access === "anyone")
    return command.addOption(toGeneral("url", "work on this server (DISPATCH_URL), without a token"));
  return addMeant(command, ["url", "token-file", "insecure", "tenant", "as", "location"]);
}

/** Adds --insecure, for commands that send a token. */
export function addInsecureOption(command: Command): Command {
  return addMeant(command, ["insecure"]);
}

/** Adds --profile, once. */
export function addProfileOption(command: Command): Command {
  return addMeant(command, ["profile"]);
}

/**
 * Adds the options that say how an answer is shown. `hasOwnVersion`: the operation's input has an api_version (a token's,
 * a webhook's), which --api-version means there; such answers look the same at every version.
 */
export function addOutputOptions(command: Command, hasOwnVersion: boolean): Command {
  addMeant(command.optionsGroup("Output:"), ["output", "fields"])
    .addOption(commonOption("-q, --quiet", "show the ids only, one a line, for other commands"))
    .addOption(rawCsvOption());
  return addMeant(command, [...(hasOwnVersion ? [] : ["api-version" as const]), "no-color", "no-pager"]);
}

const rawCsvOption = () =>
  commonOption(
    "--raw-csv",
    "in csv, texts as they are, also those that a spreadsheet would run as a formula",
  );

/** Adds the options of lists. */
export function addListOptions(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--all", "show every page, as one list")
    .option("--watch", "show the list again when it changes, until Ctrl-C");
}

/** Adds the options that say from when until when, for lists of what is planned. */
export function addSpanOptions(command: Command): Command {
  return command
    .option("--from <time>", "planned then or later: today, fri, 12/1, tomorrow 8:00")
    .option("--to <time>", "planned until then, a day included");
}

/** Adds the options of exports. */
export function addExportOptions(command: Command): Command {
  command
    .optionsGroup("Output:")
    .option("--out <file>", "write to this file, - for standard output")
    .option(
      "-o, --output <form>",
      "csv, ndjson or json (DISPATCH_OUTPUT); by default by the file's ending, else ndjson",
    )
    .option("--fields <names>", "write these fields only, separated by commas")
    .addOption(rawCsvOption())
    .option("--resume", "go on with a file that an interrupted export left")
    .option("--yes", "put it in the place of a file that is there already");
  return addMeant(command, ["no-input", "api-version", "no-color"]);
}

/** Refuses output options that contradict each other. */
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
    throw failure("usage", `--${one} and --${name} exclude each other.`);
  }
}

/** Makes --api-version for commands where it means webhook bodies. */
export function versionOption(description: string): Option {
  return asOwn(new Option("--api-version <version>", `${description}: ${apiVersions.join(", ")}`));
}

/** Adds --output and --profile alone, for commands that show no records of the interface. */
export function addFormOption(command: Command): Command {
  addProfileOption(command);
  if (takes(command, "output")) return command;
  return command.addOption(toGeneral("output", "table or json (DISPATCH_OUTPUT)"));
}

/** A command that does something, with the words that name it. */
export interface NamedLeaf {
  command: Command;
  path: readonly string[];
}

/** Every command of a tree that does something, in the order of the help. Commands with verbs may work without one too. */
export function* walkCommands(root: Command, path: readonly string[] = []): Generator<NamedLeaf> {
  for (const command of root.commands) {
    const own = [...path, command.name()];
    if (doesSomething(command)) yield { command, path: own };
    yield* walkCommands(command, own);
  }
}
