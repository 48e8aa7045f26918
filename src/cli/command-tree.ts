import { Command } from "commander";
import { loadOperation, operationNames, storeOperationNames } from "../operations/index.ts";
import { storeCommands, storeVerbs } from "./commands/index.ts";
import { nouns } from "./nouns.ts";
import type { World } from "./world.ts";

/**
 * The command tree, as far as the words on the command line need it: the nouns always, the verbs of one noun when it is
 * named, and no more than one operation when its verb is.
 */
export async function toCommandTree(world: World): Promise<Command> {
  const [word, verb] = world.argv;
  const root = new Command("dispatch-cli")
    .description("Administer a dispatch service: on a store (a file), on a server, or be the server.")
    .usage("<command> [options]")
    .version("", "-V, --version", "show the version")
    .helpCommand(false)
    .addHelpText("after", helpFooter);
  root.commandsGroup("Records:");
  for (const [noun, summary] of Object.entries(nouns)) {
    const command = noun === word ? await toNounCommand(world, noun, verb) : new Command(noun);
    root.addCommand(command.summary(summary));
  }
  root.commandsGroup("Program:");
  for (const { name, summary, load } of storeCommands) {
    const command = name === word ? await load(world) : new Command(name);
    root.addCommand(command.summary(summary));
  }
  return root;
}

const helpFooter = `
Begin with \`dispatch-cli demo --serve\` (a store full of examples, served), or \`dispatch-cli init\` (your own).
\`dispatch-cli <command> --help\` shows what a command takes.`;

async function toNounCommand(world: World, noun: string, verb: string | undefined): Promise<Command> {
  const command = new Command(noun).description(toSentence(nouns[noun] ?? "")).helpCommand(false);
  const ofStore = storeVerbs[noun] ?? [];
  // A command of the same name stands for the operation: it does more than call it.
  const isOwn = (name: string) => !ofStore.some((own) => name === `${noun}.${own.name}`);
  const names = [...operationNames, ...storeOperationNames].filter(
    (name) => name.startsWith(`${noun}.`) && isOwn(name),
  );
  const named = names.filter((name) => name === `${noun}.${verb}`);
  const namedOfStore = ofStore.filter(({ name }) => name === verb);
  const isNamed = named.length + namedOfStore.length > 0;
  for (const name of isNamed ? named : names) command.addCommand(await toVerbCommand(world, name));
  for (const { summary, load } of isNamed ? namedOfStore : ofStore) {
    command.addCommand((await load(world)).summary(summary));
  }
  if (!isNamed) await addShorthands(world, command, names);
  return command;
}

/** Commands that stand for an operation with a part of its body fixed: `jobs complete`. */
async function addShorthands(
  world: World,
  command: Command,
  names: readonly AnyOperationName[],
): Promise<void> {
  const { toCommand } = await import("./operation-command.ts");
  command.commandsGroup("Shorthands:");
  for (const operation of await Promise.all(names.map(loadOperation))) {
    for (const shorthand of operation.cli?.verbs ?? [])
      command.addCommand(toCommand(world, shorthand.verb, { operation, atLocation: null, shorthand }));
  }
}

type AnyOperationName = Parameters<typeof loadOperation>[0];

const toSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

async function toVerbCommand(world: World, name: AnyOperationName): Promise<Command> {
  const [noun, verb = ""] = name.split(".");
  // `jobs list --location 1` is the location's own list.
  const atLocation =
    verb === "list" && noun !== "locations"
      ? operationNames.find((other) => other === `locations.${noun}`)
      : undefined;
  const { toCommand } = await import("./operation-command.ts");
  return toCommand(world, verb, {
    operation: await loadOperation(name),
    atLocation: atLocation ? await loadOperation(atLocation) : null,
  });
}

/** The whole tree, every command loaded: for tests and for completion. */
export async function toWholeTree(world: World): Promise<Command> {
  const root = new Command("dispatch-cli");
  for (const noun of Object.keys(nouns)) root.addCommand(await toNounCommand(world, noun, undefined));
  for (const { load } of storeCommands) root.addCommand(await load(world));
  return root;
}
