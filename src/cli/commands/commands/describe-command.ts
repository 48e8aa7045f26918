import type { EventEmitter } from "node:events";
import type { Argument, Command, Option } from "commander";
import { type Operation, rolesOf, routeOf } from "../../../core/operation.ts";
import { exitCodes, toExitCode } from "../../../errors/errors.ts";
import type { JsonSchema } from "../../../models/fields.ts";
import { failuresOf } from "../../../openapi/error-codes.ts";
import { isGeneral, type NamedLeaf, toArgumentWord } from "../../common-options.ts";
import { type GeneralOption, generalOptionNames, generalOptions } from "../../general-options.ts";
import { type Flag, isNeeded } from "../../input/flags.ts";
import {
  type CommandOperations,
  isSevere,
  toCommandFlags,
} from "../../operation-command/command-operations.ts";
import { operationsOf } from "../../operation-command/operation-command.ts";
import { type CommandEffect, effectOfBuiltin } from "../builtin.ts";

export interface CommandFacts {
  /** The words, like `jobs create`. */
  name: string;
  summary: string;
  usage: string;
  effect: CommandEffect;
  operation: { name: string; method: string; path: string; roles: readonly string[] } | null;
  arguments: ArgumentFacts[];
  options: OptionFacts[];
  examples: string[];
  exit_codes: number[];
}

interface ArgumentFacts {
  name: string;
  description: string;
  required: boolean;
  variadic: boolean;
  choices: readonly string[] | null;
}

/** Every command also accepts the `general` ones. */
export interface OptionFacts {
  name: string;
  aliases: string[];
  description: string;
  /** The type of the value or file content. "flag" has no value. */
  type: string;
  required: boolean;
  repeatable: boolean;
  default: unknown;
  choices: readonly string[] | null;
  general: boolean;
}

export function describeCommand({ command, path }: NamedLeaf): CommandFacts {
  const operations = operationsOf(command) ?? null;
  const flags = new Map(operations ? toCommandFlags(operations).map((flag) => [`--${flag.name}`, flag]) : []);
  const parts = command.registeredArguments.map(toArgumentWord);
  return {
    name: path.join(" "),
    summary: command.description(),
    usage: ["dispatch-cli", ...path, ...parts, "[options]"].join(" "),
    // A command without a declared effect may do anything.
    effect: operations ? effectOf(operations) : (effectOfBuiltin(command) ?? "dangerous"),
    operation: operations && toOperationFacts(operations.operation),
    arguments: command.registeredArguments.map(describeArgument),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => describeOption(option, flags.get(option.long ?? ""))),
    examples: findExamples(command),
    exit_codes: operations ? exitCodesOf(operations) : Object.values(exitCodes),
  };
}

function effectOf(operations: CommandOperations): CommandEffect {
  if (isSevere(operations)) return "dangerous";
  return operations.operation.effect === "read" ? "read" : "write";
}

const toOperationFacts = (operation: Operation) => ({
  name: operation.name,
  ...routeOf(operation),
  roles: rolesOf(operation),
});

function exitCodesOf({ operation, presentation }: CommandOperations): number[] {
  const { done, interrupted, invalid, unexpected, unreachable } = exitCodes;
  const answered = failuresOf(operation).map(({ status }) => toExitCode(status));
  const failed = presentation.failureIn ? [exitCodes.answerIsNo] : [];
  const all = [done, unexpected, invalid, unreachable, interrupted, ...answered, ...failed];
  return [...new Set(all)].sort((a, b) => a - b);
}

const describeArgument = (argument: Argument): ArgumentFacts => ({
  name: argument.name(),
  description: argument.description,
  required: argument.required,
  variadic: argument.variadic,
  choices: argument.argChoices ?? null,
});

function describeOption(option: Option, flag: Flag | undefined): OptionFacts {
  const names = [...option.flags.matchAll(/(?:^|[\s,])(--?[\w-]+)/g)].map((match) => match[1] ?? "");
  const name = option.long ?? option.flags;
  const general = isGeneral(option) ? findGeneral(name) : undefined;
  return {
    name,
    aliases: names.filter((other) => other !== name),
    description: option.description,
    type: typeOf(option, flag),
    required: flag ? isNeeded(flag) : option.mandatory,
    repeatable: flag?.isList ?? (option.variadic || / repeatable/.test(option.description)),
    default: option.negate ? null : (option.defaultValue ?? null),
    choices: choicesOf(flag?.kind?.input) ?? option.argChoices ?? general?.choices ?? null,
    general: general !== undefined,
  };
}

function findGeneral(name: string): GeneralOption | undefined {
  const found = generalOptionNames.find((general) => `--${general}` === name);
  return found && generalOptions[found];
}

const choicesOf = (schema: JsonSchema | undefined) =>
  Array.isArray(schema?.enum) ? (schema.enum as string[]) : undefined;

/** An option that takes a name takes an ID too. */
function typeOf(option: Option, flag: Flag | undefined): string {
  const placeholder = typeOfOption(option);
  if (!flag || placeholder === "name" || placeholder === "file") return placeholder;
  return flag.kind?.name ?? "json";
}

function typeOfOption({ flags }: Option): string {
  const placeholder = /[<[]([\w-]+)(?:\.\.\.)?[>\]]/.exec(flags)?.[1];
  if (placeholder === undefined) return "flag";
  return placeholder === "n" ? "integer" : placeholder;
}

/** The command lines below "Example:", which commander passes to event listeners only. */
function findExamples(command: Command): string[] {
  let text = "";
  // commander's types do not declare the emitter.
  const emitter: unknown = command;
  (emitter as EventEmitter).emit("afterHelp", {
    command,
    error: false,
    write: (more: string) => (text += more),
  });
  const [, shown = ""] = text.split(/^Examples?:$/m);
  return [...shown.matchAll(/^ {2}(?=dispatch-cli |npx |[A-Z_]+=)(.+(?:\\\n.+)*)/gm)].map((match) =>
    (match[1] ?? "").replaceAll(/\\\n\s*/g, ""),
  );
}
