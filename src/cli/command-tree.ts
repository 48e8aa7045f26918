import { Command } from "commander";
import {
  type AnyOperationName,
  loadOperation,
  operationNames,
  storeOperationNames,
} from "../operations/index.ts";
import { kindOfNoun } from "../records/find-kind.ts";
import { recordKinds } from "../records/record-kinds.ts";
import { programVersion } from "../runtime/program-version.ts";
import { type BuiltinCommand, builtinCommands, builtinVerbs } from "./commands/index.ts";
import { addGeneralOptions, passOn } from "./common-options.ts";
import type { CliContext } from "./context.ts";
import { helpTopics } from "./help/topics.ts";
import { loadPresentation } from "./presentation/index.ts";
import { serviceNouns } from "./presentation/index.ts";
import type { Program } from "./program.ts";

/**
 * The command tree, as far as the words on the command line need it: the nouns always, the verbs of one noun when it is
 * named, and no more than one operation when its verb is.
 */
export function toCommandTree(
  context: CliContext,
  program: Program,
  [noun, verb]: readonly string[],
): Promise<Command> {
  return toTree(context, program, { noun, verb });
}

/** The whole tree, every command loaded: for the manual, and for tests. */
export function toWholeTree(context: CliContext, program: Program): Promise<Command> {
  return toTree(context, program, null);
}

/** The first two words of a command line: all else in the tree is a name and a summary. null: everything is loaded. */
type NamedWords = { noun: string | undefined; verb: string | undefined } | null;

async function toTree(context: CliContext, program: Program, named: NamedWords): Promise<Command> {
  const isNeeded = (name: string) => named === null || name === named.noun;
  const root = new Command("dispatch-cli")
    .description("Administer a dispatch service: on a store (a file), on a server, or be the server.")
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

/** Has a command and its verbs take the general options. */
function takeGeneral(command: Command): Command {
  for (const verb of command.commands) addGeneralOptions(verb);
  return passOn(addGeneralOptions(command));
}

const helpFooter = `
\`dispatch-cli <command> --help\` shows what a command takes.
\`help <topic>\`: ${Object.keys(helpTopics).join(", ")}.

Begin with \`dispatch-cli demo --serve\`, a store full of examples, served; or
with \`dispatch-cli init\`, a store of your own.`;

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
  // A builtin command of the same name takes the operation's place, because it does more than call it.
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

/** The other verbs of a noun, those after this one first. */
function pathsOf(noun: string, verb: string, verbs: readonly string[]): string[] {
  const at = verbs.indexOf(verb);
  const others = [...verbs.slice(at + 1), ...verbs.slice(0, Math.max(at, 0)).reverse()];
  return [...others.slice(0, seeAlsoMax).map((other) => `${noun} ${other}`), `${noun} --help`];
}

const seeAlsoMax = 3;

/** Commands that stand for an operation with a part of its body fixed: `jobs complete`. */
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
  // `jobs list --location 1` is the location's own list, and `trucks all --location 1`.
  const atLocation = verb === "all" ? kind?.list : name === kind?.list ? kind.listAtLocation : undefined;
  const { toCommand } = await import("./operation-command/operation-command.ts");
  return toCommand(context, verb, {
    operation: await loadOperation(name),
    presentation: await loadPresentation(name),
    atLocation: atLocation ? await loadOperation(atLocation) : null,
  });
}
