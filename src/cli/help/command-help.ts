import { EventEmitter } from "node:events";
import { type Command, Help, type Option } from "commander";
import { isCommon, placeOf, toArgumentWord } from "../common-options.ts";
import { foldHelp, formatTerm } from "./fold-help.ts";

/** At most 40 lines, with the most used options first. `showsAll` shows everything. */
export function toHelpConfiguration(showsAll: boolean): Partial<Help> {
  return {
    optionDescription: describeOption,
    subcommandTerm: (command) =>
      [command.name(), ...command.registeredArguments.map(toArgumentWord)].join(" "),
    formatItem: (term, columns, meaning, helper) =>
      formatTerm(term, columns, meaning ?? "", helper.helpWidth ?? 80),
    visibleCommands: (command) => {
      const commands = Help.prototype.visibleCommands.call(new Help(), command);
      const isShort = !showsAll && command.parent === null;
      return isShort ? commands.filter((one) => everydayNames.has(one.name())) : commands;
    },
    formatHelp: (command, helper) => formatHelp(command, helper, showsAll),
  };
}

const linesMax = 40;

/** Dropped last from short help: they decide where and whether a command changes anything. */
const kept = new Set(["--location", "--dry-run", "--yes"]);

function formatHelp(command: Command, helper: Help, showsAll: boolean): string {
  const { examples, notes } = takeTexts(command);
  const all = sortOptions(helper.visibleOptions(command), examples);
  const format = (options: Option[], ends: readonly string[]) => {
    const own = Object.assign(Object.create(helper) as Help, { visibleOptions: () => options });
    if (command.parent === null && !showsAll) own.groupItems = groupEveryday;
    const text = Help.prototype.formatHelp.call(own, command, own).trimEnd();
    return `${foldHelp([text, ...ends].join("\n\n"), helper.helpWidth ?? 80)}\n`;
  };
  const whole = format(all, [...notes, ...examples]);
  if (showsAll || isShort(whole) || all.length === 0) return whole;
  const more = `\`--help-all\` shows all ${all.length} options`;
  const options = all.filter((option) => !isGeneralOne(option));
  const withNotes = format(options, [...notes, ...examples, `${more}.`]);
  if (isShort(withNotes) || options.length === 0) return withNotes;
  const end = notes.length > 0 ? `${more} and the notes.` : `${more}.`;
  const isKept = ({ long }: Option) => kept.has(long ?? "");
  const dropped = [
    ...options.filter((option) => !isKept(option)).reverse(),
    ...options.filter(isKept).reverse(),
  ];
  const without = (count: number) => {
    const left = new Set(dropped.slice(count));
    return format(
      options.filter((option) => left.has(option)),
      [...examples, end],
    );
  };
  // A binary search, because each step formats the whole page.
  let [fewest, most] = [0, dropped.length];
  while (fewest < most) {
    const middle = Math.floor((fewest + most) / 2);
    if (isShort(without(middle))) most = middle;
    else fewest = middle + 1;
  }
  return without(most);
}

const isShort = (text: string) => text.trimEnd().split("\n").length <= linesMax;

/** The texts after the options, which count as lines of the help too. */
function takeTexts(command: Command): { examples: string[]; notes: string[] } {
  const parts: string[] = [];
  const write = (text: string) => void parts.push(text);
  // Commander's types do not say that a command is an emitter.
  if (command instanceof EventEmitter) {
    command.emit("afterHelp", { command, error: false, write });
    command.removeAllListeners("afterHelp");
  }
  const texts = parts.join("").trim().split("\n\n");
  const isExample = (text: string) => /^(?:Examples?|See also):/.test(text);
  return {
    examples: texts.filter(isExample),
    notes: texts.filter((text) => text !== "" && !isExample(text)),
  };
}

const isGeneralOne = (option: Option) => isCommon(option) || option.long === "--help";

/** The order: options that help shows first, options of the examples, others, common options. */
function sortOptions(options: readonly Option[], examples: readonly string[]): Option[] {
  const words = new Set(examples.flatMap((text) => (text.startsWith("See also") ? [] : text.split(/\s+/))));
  const isInExample = ({ long, short }: Option) => words.has(long ?? "") || words.has(short ?? "");
  const rank = (option: Option) => {
    if (isGeneralOne(option)) return 3;
    return placeOf(option) === null ? (isInExample(option) ? 1 : 2) : 0;
  };
  return options.toSorted((a, b) => rank(a) - rank(b) || (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
}

/** Omits the parser's notes about Booleans and lists. */
function describeOption({ description, defaultValue }: Option): string {
  const hasDefault = typeof defaultValue === "string" || typeof defaultValue === "number";
  return hasDefault ? `${description} (default ${defaultValue})` : description;
}

/** For the short help. `help commands` shows all, in other groups. */
const everyday: Readonly<Record<string, readonly string[]>> = {
  "Get started:": ["init", "demo", "serve"],
  "Every day:": [
    ...["jobs", "customers", "trucks", "drivers", "chats", "day", "find", "undo", "report"],
    ...["addresses", "contacts", "locations", "assets"],
  ],
  "Manage the service:": [
    ...["hooks", "users", "tokens", "import", "export", "backup", "doctor"],
    ...["whoami", "profiles"],
  ],
};

const everydayNames = new Set(Object.values(everyday).flat());

const groupEveryday: Help["groupItems"] = (_all, visible) =>
  new Map(
    Object.entries(everyday).map(([group, names]) => [
      group,
      visible.filter((item) => names.includes(item.name())),
    ]),
  );
