import { Command } from "commander";
import {
  type AnyOperationName,
  loadOperation,
  operationNames,
  storeOperationNames,
} from "../operations/index.ts";
import { kindOfNoun } from "../records/find-kind.ts";
import { recordKinds, serviceNouns } from "../records/record-kinds.ts";
import { programVersion } from "../runtime/program-version.ts";
import { type BuiltinCommand, builtinCommands, builtinVerbs } from "./commands/index.ts";
import { addGeneralOptions, passOn } from "./common-options.ts";
import type { CliContext } from "./context.ts";
import { helpTopics } from "./help/topics.ts";
import { loadPresentation } from "./presentation/index.ts";
import type { Program } from "./program.ts";

export function toCommandTree(
  context: CliContext,
  program: Program,
  [noun, verb]: readonly string[],
): Promise<Command> {
  return toTree(context, program, { noun, verb });
}

export function toWholeTree(context: CliContext, program: Program): Promise<Command> {
  return toTree(context, program, null);
}

/** null loads everything. */
type NamedWords = { noun: string | undefined; verb: string | undefined } | null;

async function toTree(context: CliContext, program: Program, named: NamedWords): Promise<Command> {
  const isNeeded = (name: string) => named === null || name === named.noun;
  const root = new Command("dispatch-cli")
    .description("Run a dispatch service: on a store (a file), on a server, or as the server.")
    .usage("<command> [options]")
    .version(programVersion, "-V, --version", "show the version")
    .helpCommand(false)
    .configureHelp({ visibleOptions: () => [] })
    .addHelpText("after", helpFooter);
  for (const { about, group, noun } of [...recordKinds, ...serviceNouns]) {
    const command = isNeeded(noun)
      ? takeGeneral(await toNounCommand(context, program, { about, noun }, named))
      : new Command(noun);
    root.addCommand(command.helpGroup(`${group}:`).summary(about));
  }
  for (const entry of builtinCommands) {
    const { group = "Program:", name, summary } = entry;
    const command = isNeeded(name)
      ? takeGeneral(await toBuiltinCommand(context, program, entry, named))
      : new Command(name);
    root.addCommand(command.helpGroup(group).summary(summary));
  }
  return passOn(addGeneralOptions(root));
}

function takeGeneral(command: Command): Command {
  for (const verb of command.commands) addGeneralOptions(verb);
  return passOn(addGeneralOptions(command));
}

const helpFooter = `
\`help commands\` lists all commands. \`dispatch-cli <command> --help\` shows the
options of a command. Help topics: ${Object.keys(helpTopics).join(", ")}.`;

async function toBuiltinCommand(
  context: CliContext,
  program: Program,
  { load, name, see }: BuiltinCommand,
  named: NamedWords,
): Promise<Command> {
  const command = await load(context, program, toVerbTest(named));
  const verbs = command.commands.map((verb) => verb.name());
  for (const verb of command.commands) addSeeAlso(verb, pathsOf(name, verb.name(), verbs));
  return verbs.length > 0 ? command : addSeeAlso(command, see ?? ["--help"]);
}

const toVerbTest = (named: NamedWords) => (verb: string) => named === null || verb === named.verb;

async function toNounCommand(
  context: CliContext,
  program: Program,
  { about, noun }: { about: string; noun: string },
  words: NamedWords,
): Promise<Command> {
  const command = new Command(noun).description(toSentence(about)).helpCommand(false);
  const builtin = builtinVerbs[noun] ?? [];
  // A built-in command replaces the operation of the same name.
  const isOwn = (name: string) => !builtin.some((own) => name === `${noun}.${own.name}`);
  const names = [...operationNames, ...storeOperationNames].filter(
    (name) => name.startsWith(`${noun}.`) && isOwn(name),
  );
  const named = names.filter((name) => name === `${noun}.${words?.verb}`);
  const namedBuiltin = builtin.filter(({ name }) => name === words?.verb);
  const isNamed = named.length + namedBuiltin.length > 0;
  for (const name of isNamed ? named : names) command.addCommand(await toVerbCommand(context, name));
  for (const { summary, load } of isNamed ? namedBuiltin : builtin) {
    command.addCommand((await load(context, program, toVerbTest(words))).summary(summary));
  }
  if (!isNamed) await addShorthands(context, command, names);
  const verbs = [...names.map((name) => name.slice(noun.length + 1)), ...builtin.map(({ name }) => name)];
  for (const child of command.commands) addSeeAlso(child, pathsOf(noun, child.name(), verbs));
  return command;
}

function addSeeAlso(command: Command, paths: readonly string[]): Command {
  return command.addHelpText("after", `\nSee also: ${paths.join(", ")}`);
}

/** Related commands: the verbs after this one come first. */
function pathsOf(noun: string, verb: string, verbs: readonly string[]): string[] {
  const at = verbs.indexOf(verb);
  const others = [...verbs.slice(at + 1), ...verbs.slice(0, Math.max(at, 0)).reverse()];
  return [...others.slice(0, seeAlsoMax).map((other) => `${noun} ${other}`), `${noun} --help`];
}

const seeAlsoMax = 3;

/** Commands such as `jobs complete` fix a part of an operation's body. */
async function addShorthands(
  context: CliContext,
  command: Command,
  names: readonly AnyOperationName[],
): Promise<void> {
  const { toCommand } = await import("./operation-command/operation-command.ts");
  command.commandsGroup("Shorthands:");
  for (const name of names) {
    const presentation = await loadPresentation(name);
    for (const shorthand of presentation.verbs ?? []) {
      const operation = await loadOperation(name);
      const operations = { operation, presentation, atLocation: null, shorthand };
      command.addCommand(toCommand(context, shorthand.verb, operations));
    }
  }
}

const toSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

async function toVerbCommand(context: CliContext, name: AnyOperationName): Promise<Command> {
  const [noun = "", verb = ""] = name.split(".");
  const kind = kindOfNoun(noun);
  // `jobs list --location 1` calls the location's list.
  const atLocation = verb === "all" ? kind?.list : name === kind?.list ? kind.listAtLocation : undefined;
  const { toCommand } = await import("./operation-command/operation-command.ts");
  return toCommand(context, verb, {
    operation: await loadOperation(name),
    presentation: await loadPresentation(name),
    atLocation: atLocation ? await loadOperation(atLocation) : null,
  });
}
