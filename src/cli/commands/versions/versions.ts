import { Argument, Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { didYouMean } from "../../../errors/nearest.ts";
import { type ApiVersion, apiVersions } from "../../../models/api-versions.ts";
import type { VersionDifference } from "../../../openapi/version-diff.ts";
import { loadOperations } from "../../../operations/index.ts";
import { addFormOption } from "../../common-options.ts";
import { type CliContext, showsColor, sizeOf } from "../../context.ts";
import { versionFacts } from "../../help/describe-topics.ts";
import { createHelpWriter } from "../../help/fold-help.ts";
import { tell, tellJson } from "../../output/tell.ts";
import { toVisible } from "../../output/text.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";
import { versionsCheckCommand } from "./versions-check.ts";

export function versionsCommand(context: CliContext): Command {
  return new Command("versions")
    .description("List the API versions, or compare two.")
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(diffCommand(context))
    .addCommand(versionsCheckCommand(context));
}

function listCommand(context: CliContext): Command {
  const command = defineBuiltin("list", "read")
    .summary("List the API versions and their changes")
    .description("List the API versions, oldest first, with what each changed.");
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli versions");
  // The default command also receives unknown words.
  return command.allowExcessArguments().action(async () => {
    const [word] = command.args;
    if (word !== undefined) throw unknownWord(word);
    const settings = readSettings(context, command.opts());
    const facts = await versionFacts();
    if (settings.form !== "table") return void tellJson(context.stdout, facts);
    const { terms } = createHelpWriter(sizeOf(context.stdout).columns);
    context.stdout.write(terms(facts.map(({ changes, version }) => [version, changes.join(" ")])));
  });
}

function unknownWord(word: string) {
  return failure(
    "usage",
    `\`versions\` has no ${JSON.stringify(word)}.${didYouMean(word, ["list", "diff", "check"])}`,
  );
}

function diffCommand(context: CliContext): Command {
  const versions = [...apiVersions];
  const command = defineBuiltin("diff", "read")
    .summary("Compare two versions by an example")
    .description("Compare two versions by an example record, for every operation or for one.")
    .addArgument(new Argument("<from>", "a version").choices(versions))
    .addArgument(new Argument("<to>", "another version").choices(versions))
    .argument("[operation...]", "one operation, like jobs get");
  addFormOption(command)
    .option("--no-color", "turn colors off (NO_COLOR)")
    .addHelpText("after", "\nExample:\n  dispatch-cli versions diff 2019/02/08 2023/04/19 jobs get");
  return command.action(async (from: ApiVersion, to: ApiVersion, words: string[]) => {
    const settings = readSettings(context, command.opts());
    const operations = await findOperations(words);
    const { diffVersions } = await import("../../../openapi/version-diff.ts");
    const differences = diffVersions(operations, from, to);
    if (settings.form !== "table") return void tellJson(context.stdout, differences);
    if (differences.length === 0) tell(context.stderr, `${from} and ${to} are the same.`);
    else await show(context, settings, differences);
  });
}

async function findOperations(words: readonly string[]) {
  const operations = await loadOperations();
  if (words.length === 0) return operations;
  const name = words.join(".").replaceAll(" ", ".");
  const found = operations.filter((operation) => operation.name === name);
  if (found.length > 0) return found;
  const names = operations.map((operation) => operation.name.replace(".", " "));
  throw failure("usage", `Unknown operation ${words.join(" ")}.${didYouMean(words.join(" "), names)}`);
}

async function show(
  context: CliContext,
  settings: Settings,
  differences: readonly VersionDifference[],
): Promise<void> {
  const { Chalk } = await import("chalk");
  const paint = new Chalk({ level: showsColor(context.stdout, context.env, settings.noColor) ? 1 : 0 });
  const { paragraph } = createHelpWriter(sizeOf(context.stdout).columns);
  const sections = differences.map(({ after, before, operations, part }) => {
    const lines = toLines(before, after)
      .map(toVisible)
      .map((line) => (line.startsWith("-") ? paint.red(line) : paint.green(line)));
    return `${paragraph(`${operations.join(", ")}: ${part}`)}${lines.map((line) => `  ${line}\n`).join("")}`;
  });
  context.stdout.write(sections.join("\n"));
}

function toLines(before: unknown, after: unknown): string[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths
    .filter((path) => old.get(path) !== fresh.get(path))
    .flatMap((path) => [...toLine("-", path, old), ...toLine("+", path, fresh)]);
}

function toLine(sign: string, path: string, fields: ReadonlyMap<string, string>): string[] {
  const text = fields.get(path);
  if (text === undefined) return [];
  return [path === "" ? `${sign} ${JSON.parse(text)}` : `${sign} ${path}: ${text}`];
}

function flatten(value: unknown, path = ""): Map<string, string> {
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  // A missing value has no path.
  if (isEmpty) return new Map(value === null && path === "" ? [] : [[path, JSON.stringify(value)]]);
  const entries = Object.entries(value as object).flatMap(([name, member]) => {
    const step = Array.isArray(value) ? `[${name}]` : `${path === "" ? "" : "."}${name}`;
    return [...flatten(member, path + step)];
  });
  return new Map(entries);
}
