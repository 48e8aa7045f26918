import type { Command } from "commander";
import { expect, it } from "vitest";
import { doesSomething, isGeneral } from "../../src/cli/common-options.ts";
import { generalOptionNames, generalOptions } from "../../src/cli/general-options.ts";
import { loadWholeTree } from "../support/command-line.ts";

const tree = await loadWholeTree();
const leaves = toLeaves(tree, []);
const pairs = leaves.flatMap(([path, command]) =>
  generalOptionNames.map((name) => ({ path, command, name })),
);

it("knows every command", () => {
  expect(leaves.length).toBeGreaterThan(180);
});

it.each([
  ["after the command", ({ path, words, rest }: Line) => [...path, ...rest, ...words]],
  ["before the noun", ({ path, words, rest }: Line) => [...words, ...path, ...rest]],
  [
    "between noun and verb",
    ({ path: [noun = "", ...verb], words, rest }: Line) => [noun, ...words, ...verb, ...rest],
  ],
])("is accepted %s by every command: each general option", (where, toArgv) => {
  const wrong = pairs.filter(({ path, command, name }) => {
    const option = command.options.find(({ long }) => long === `--${name}`);
    // The `--tenant` of `init` is its own option: it names the tenant to create.
    const isOwn = option === undefined || !isGeneral(option);
    const isBefore = where === "before the noun" || (where !== "after the command" && path.length > 1);
    const [words, value] = toGiven(name, "first");
    const given = parse(command, toArgv({ path, words, rest: toRest(command) }))[name];
    return isOwn && isBefore ? given === value : given !== value;
  });
  expect(wrong.map(({ path, name }) => `${path.join(" ")} --${name}`)).toEqual([]);
});

it("use the later value when an option is repeated", () => {
  const wrong = pairs.filter(({ path, command, name }) => {
    const [earlier] = toGiven(name, "first");
    const [later, value] = toGiven(name, "second");
    return parse(command, [...earlier, ...path, ...toRest(command), ...later])[name] !== value;
  });
  expect(wrong.map(({ path, name }) => `${path.join(" ")} --${name}`)).toEqual([]);
});

interface Line {
  path: readonly string[];
  words: readonly string[];
  rest: readonly string[];
}

function toLeaves(command: Command, path: readonly string[]): [string[], Command][] {
  command.exitOverride();
  const below = command.commands.flatMap((child) => toLeaves(child, [...path, child.name()]));
  return path.length > 0 && doesSomething(command) ? [[[...path], command], ...below] : below;
}

function toGiven(name: keyof typeof generalOptions, value: string): [words: string[], value: unknown] {
  if (generalOptions[name].flags.endsWith(">")) return [[`--${name}`, value], value];
  return [[`--${name}`], !name.startsWith("no-")];
}

/** The arguments and options that a command requires. */
function toRest({ registeredArguments, options }: Command): string[] {
  const needed = registeredArguments.filter(({ required }) => required);
  return [
    ...needed.map(({ argChoices }) => argChoices?.[0] ?? "1"),
    ...options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [String(long), "1"]),
  ];
}

/** The general options that a command receives from a command line, by name. */
function parse(command: Command, argv: readonly string[]): Record<string, unknown> {
  command.action(() => undefined);
  tree.parse(argv, { from: "user" });
  return Object.fromEntries(
    command.options.map((option) => [
      option.long?.slice(2),
      command.getOptionValue(option.attributeName()) as unknown,
    ]),
  );
}
