import type { Command, Option } from "commander";
import { recordKinds } from "../../records/record-kinds.ts";
import { programVersion } from "../../runtime/program-version.ts";
import { type NamedLeaf, toArgumentWord, walkCommands } from "../common-options.ts";
import type { HelpWriter } from "./fold-help.ts";
import { helpTopics } from "./topics.ts";

/** roff (man-pages(7)), from the command tree and the help topics. */
export async function toManPage(root: Command): Promise<string> {
  const topics = await Promise.all(Object.entries(helpTopics).map(([name, topic]) => toTopic(name, topic)));
  const common = commonOptions(root);
  const lines = [
    `.TH DISPATCH-CLI 1 "" "dispatch-cli ${escapeRoff(programVersion)}" "User Commands"`,
    // Do not hyphenate or stretch variables and options.
    ".nh",
    ".ad l",
    ".SH NAME",
    `dispatch\\-cli \\- ${escapeRoff(lowerFirst(root.description()).replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    ".B dispatch\\-cli",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    paragraph(root.description()),
    paragraph(
      `Commands on records have a noun and a verb: ${recordKinds.map(({ noun }) => noun).join(", ")}.`,
    ),
    ".SH COMMANDS",
    ...[...walkCommands(root)].flatMap((leaf) => toSection(leaf, common)),
    '.SH "COMMON OPTIONS"',
    paragraph("Commands that work on records also accept these."),
    ...toOptions(common),
    ...topics.flat(),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** The options of every list. */
function commonOptions(root: Command): readonly Option[] {
  const lists = root.commands.flatMap(({ commands }) =>
    commands.filter((command) => command.name() === "list"),
  );
  const [first, ...others] = lists.filter(({ options }) => options.some(({ long }) => long === "--fields"));
  const isShared = (option: Option) =>
    others.every(({ options }) => options.some((other) => isSame(option, other)));
  return (first?.options ?? []).filter(isShared);
}

const isSame = (one: Option, other: Option) =>
  one.flags === other.flags && one.description === other.description;

function toSection({ command, path }: NamedLeaf, common: readonly Option[]): string[] {
  const usage = [...path, ...command.registeredArguments.map(toArgumentWord)].join(" ");
  const options = command.options.filter((option) => !common.some((other) => isSame(option, other)));
  return [
    `.SS "${escapeRoff(usage).replaceAll('"', "\\(dq")}"`,
    paragraph(command.description()),
    ...toOptions(options),
  ];
}

function toOptions(options: readonly Option[]): string[] {
  return options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ description, flags }) => [".TP", `\\fB${escapeRoff(flags)}\\fR`, toRoffLines(description)]);
}

async function toTopic(name: string, topic: (typeof helpTopics)[string]): Promise<string[]> {
  const describe = await topic.load();
  return [`.SH "${name.replace("-", " ").toUpperCase()}"`, await describe(roffWriter, null)];
}

const roffWriter: HelpWriter = {
  paragraph: (text) => `${paragraph(text)}\n`,
  terms: (entries) =>
    entries.map(([term, meaning]) => `.TP\n\\fB${escapeRoff(term)}\\fR\n${toRoffLines(meaning)}\n`).join(""),
};

const paragraph = (text: string) => `.PP\n${toRoffLines(text)}`;

/** A line must not begin like a roff request. */
function toRoffLines(text: string): string {
  return text
    .split("\n")
    .map((line) => escapeRoff(line.trim()).replace(/^(?=[.'])/, "\\&"))
    .filter((line) => line !== "")
    .join("\n");
}

function escapeRoff(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    "\\": "\\(rs",
    "-": "\\-",
    "'": "\\(aq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
    // ASCII devices have no ellipsis.
    "…": "...",
  };
  const toUnicode = (mark: string) =>
    `\\[u${mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`;
  return text.replace(/[\\\-'`^~]|[^\x20-\x7e]/gu, (mark) => marks[mark] ?? toUnicode(mark));
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
