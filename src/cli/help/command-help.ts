import { type Argument, type Command, Help, type Option } from "commander";
import { isCommon } from "../common-options.ts";
import { foldHelp, formatTerm } from "./fold-help.ts";

/**
 * How the parser writes the help of a command: its own options, and in one line those that it has in common with others,
 * which `showsAll` describes too.
 */
export function toHelpConfiguration(showsAll: boolean): Partial<Help> {
  return {
    optionDescription: describeOption,
    // Every command has options.
    subcommandTerm: (command) =>
      [command.name(), ...command.registeredArguments.map(toArgumentTerm)].join(" "),
    formatItem: (term, columns, meaning, helper) =>
      formatTerm(term, columns, meaning ?? "", helper.helpWidth ?? 80),
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

/** Describes an option without the parser's notes about Booleans and lists. */
function describeOption({ description, defaultValue }: Option): string {
  const hasDefault = typeof defaultValue === "string" || typeof defaultValue === "number";
  return hasDefault ? `${description} (default ${defaultValue})` : description;
}

/** The common options of a command that people look for; empty where it has none. */
function toCommonLine({ options }: Command): string {
  const common = options.filter((option) => !option.hidden && isCommon(option));
  const named = lookedFor.filter((name) => common.some(({ long, short }) => name === long || name === short));
  return common.length === 0 ? "" : `\nCommon options: ${[...named, "…"].join(", ")} (see --help-all)\n`;
}

const lookedFor = ["-o", "--fields", "--data", "--url", "--tenant", "--location", "--utc"];
