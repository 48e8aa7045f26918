import type { Command, CommanderError } from "commander";
import { type DispatchError, usageFailure } from "../../errors/errors.ts";
import { kindOfNoun } from "../../records/find-kind.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { nearCommand, nearOption } from "../near-words.ts";
import type { Program } from "../program.ts";

export interface NamedCommand {
  command: Command;
  path: readonly string[];
}

/** Suggests a similar command. */
export async function unknownCommand(
  program: Program,
  { command, path }: NamedCommand,
  words: readonly string[],
): Promise<DispatchError> {
  const [word = "", ...rest] = words.slice(path.length);
  const names = command.commands.map((child) => child.name());
  const what =
    path.length === 0
      ? `Unknown command ${JSON.stringify(word)}.`
      : `\`${path.join(" ")}\` has no verb ${JSON.stringify(word)}.`;
  const meant = path.length === 0 ? await turnedRound(program, word, rest, names) : null;
  const near = nearCommand(word, names);
  const line = meant ?? (near === null ? null : [...path, near, ...rest]);
  if (line === null)
    return usageFailure(what, `\`${["dispatch-cli", ...path].join(" ")} --help\` lists them.`);
  // Omits the options: their values may be secret, and the target differs.
  const option = line.findIndex((part) => part.startsWith("-"));
  const shown = option === -1 ? line : line.slice(0, option);
  return usageFailure(what, `Did you mean \`${["dispatch-cli", ...shown.map(toShellWord)].join(" ")}\`?`);
}

/** Reads `list jobs` as `jobs list`. */
async function turnedRound(
  program: Program,
  word: string,
  [noun = "", ...rest]: readonly string[],
  nouns: readonly string[],
): Promise<string[] | null> {
  const near = noun === "" ? null : nearCommand(noun, nouns);
  if (near === null || nearCommand(word, nouns) === word) return null;
  const tree = await program.commandTree([near]);
  const verbs = tree.commands.find((child) => child.name() === near)?.commands ?? [];
  const verb = nearCommand(
    word,
    verbs.map((child) => child.name()),
  );
  return verb === null ? null : [near, verb, ...rest];
}

export function refusedWords(error: CommanderError, { command, path }: NamedCommand): DispatchError {
  const name = path.join(" ");
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const usage = `\`${["dispatch-cli", ...path, ...command.registeredArguments.map((one) => `<${one.name()}>`)].join(" ")}\``;
  switch (error.code) {
    case "commander.unknownOption":
      return unknownOption(command, name, quoted);
    case "commander.missingArgument":
      return usageFailure(`\`${name}\` needs ${toArticle(quoted)}.`, `Write ${usage}.`);
    case "commander.excessArguments":
      return excessWords(command, path, usage);
    case "commander.optionMissingArgument":
      return needsValue(quoted);
    case "commander.missingMandatoryOptionValue":
      return usageFailure(`Missing: ${quoted.split(" ", 1)[0]}.`, `Give \`${quoted}\`.`);
    default:
      return usageFailure(toSentence(error.message), "");
  }
}

function excessWords(command: Command, path: readonly string[], usage: string): DispatchError {
  const given = command.args.slice(command.registeredArguments.length);
  const words = given.map((word) => JSON.stringify(word)).join(", ");
  const what = `\`${path.join(" ")}\` does not take ${words}.`;
  if (path[1] === "list")
    return usageFailure(
      what,
      `Filters are options. To search for words, use \`dispatch-cli find ${command.args.join(" ")}\`.`,
    );
  if (path[1] === "create" && command.options.some(({ long }) => long === "--name")) {
    const line = ["dispatch-cli", ...path, "--name", toShellWord(given.join(" "))].join(" ");
    return usageFailure(what, `The name is an option: \`${line}\`.`);
  }
  return usageFailure(what, `Write ${usage}; quote text that has spaces.`);
}

export function needsValue(flags: string): DispatchError {
  const option = /--[\w-]+/.exec(flags)?.[0] ?? flags;
  return usageFailure(
    `${option} needs a value.`,
    `Write \`${option} ${/<.*>$/.exec(flags)?.[0] ?? "<value>"}\`.`,
  );
}

function unknownOption(command: Command, name: string, word: string): DispatchError {
  const what = `\`${name || "dispatch-cli"}\` has no option ${word}.`;
  const known = command.options.flatMap(({ hidden, long }) => (hidden || !long ? [] : [long]));
  const [noun = ""] = name.split(" ");
  if (/^--notes?$/.test(word) && ["customers", "jobs"].includes(noun))
    return usageFailure(what, `\`dispatch-cli ${noun} note <${kindOfNoun(noun)?.label}> "…"\` adds a note.`);
  const near = nearOption(word, known);
  if (near === null) return usageFailure(what, "");
  const form = /^--(json|csv|yaml|table)$/.exec(word)?.[1];
  return usageFailure(what, `Did you mean ${form === undefined ? near : `-o ${form}`}?`);
}

const toArticle = (name: string) =>
  name.endsWith("s") ? name : `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;

function toSentence(message: string): string {
  const text = message.replace(/^error: /, "").replaceAll("\n", " ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? "" : "."}`;
}
