import { type Argument, type Command, Help, type Option } from "commander";
import { isCommon } from "../common-options.ts";
import { foldHelp, formatTerm } from "./fold-help.ts";

/**
 * Configures the parser's help: the command's own options, and one line that names the common ones. `showsAll`
 * describes the common ones too.
 */
export function toHelpConfiguration(showsAll: boolean): Partial<Help> {
  return {
    optionDescription: describeOption,
    subcommandTerm: (command) =>
      [command.name(), ...command.registeredArguments.map(toArgumentTerm)].join(" "),
    formatItem: (term, columns, meaning, helper) =>
      formatTerm(term, columns, meaning ?? "", helper.helpWidth ?? 80),
    visibleCommands: (command) => {
      const commands = Help.prototype.visibleCommands.call(new Help(), command);
      const isShort = !showsAll && command.parent === null;
      return isShort ? commands.filter((one) => everyday.has(one.name())) : commands;
    },
    visibleOptions: (command) => {
      const options = Help.prototype.visibleOptions.call(new Help(), command);
      return showsAll ? options : options.filter((option) => !isCommon(option));
    },
    formatHelp(command, helper) {
      const text = Help.prototype.formatHelp.call(helper, command, helper);
      return showsAll ? text : text + foldHelp(toCommonLine(command), helper.helpWidth ?? 80);
    },
  };
}

const toArgumentTerm = (argument: Argument) => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

/** Leaves out the parser's own notes about Booleans and lists. */
function describeOption({ description, defaultValue }: Option): string {
  const hasDefault = typeof defaultValue === "string" || typeof defaultValue === "number";
  return hasDefault ? `${description} (default ${defaultValue})` : description;
}

/** The line of common options; empty when the command has none. */
function toCommonLine({ options }: Command): string {
  const common = options.filter((option) => !option.hidden && isCommon(option));
  const named = lookedFor.filter((name) => common.some(({ long, short }) => name === long || name === short));
  return common.length === 0 ? "" : `\nCommon options: ${[...named, "…"].join(", ")} (see --help-all)\n`;
}

const lookedFor = ["-o", "--fields", "--data", "--url", "--tenant", "--location", "--utc"];

/** The commands in the short help of the program. `help commands` shows all. */
const everyday: ReadonlySet<string> = new Set([
  ...["init", "demo", "serve"],
  ...["jobs", "customers", "trucks", "drivers", "chats", "day", "find", "undo"],
  ...["addresses", "contacts", "locations", "assets", "hooks", "users", "tokens"],
  ...["import", "export", "backup", "doctor", "whoami", "profiles", "explain"],
]);
