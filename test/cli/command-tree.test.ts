import type { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { helpTopics } from "../../src/cli/help/topics.ts";
import { operationNames } from "../../src/operations/index.ts";
import { recordKinds, serviceNouns } from "../../src/records/record-kinds.ts";
import { loadWholeTree, runCommand } from "../support/command-line.ts";

/** The only operation whose command is a single word: `find`. */
const ofOneWord = "search.find";
const nouns = [...recordKinds, ...serviceNouns].map(({ noun }) => noun);
const tree = await loadWholeTree();
const commands = tree.commands.flatMap((command) => [command, ...command.commands]);

describe("the command tree", () => {
  it("describes every noun that has operations, and no other", () => {
    const used = new Set(
      operationNames.filter((name) => name !== ofOneWord).map((name) => name.split(".")[0]),
    );
    expect([...nouns].sort()).toEqual([...used].sort());
  });

  it.each(commands.map((command) => [pathOf(command), command] as const))(
    "%s has a summary of one sentence",
    (_path, command) => {
      expect(command.description()).toMatch(/^[A-Z].{8,}\.$/s);
    },
  );

  it("never accepts a token or a password as an option, which other users could read", () => {
    const options = commands.flatMap((command) => command.options.map((option) => option.long));
    expect(options.filter((name) => name === "--token" || name === "--password")).toEqual([]);
  });
});

describe("every command", () => {
  const leaves = commands.filter((command) => command.commands.length === 0);

  it.each(leaves.map((command) => [pathOf(command)]))(
    "%s has an example and further reading, in 60 columns",
    async (path) => {
      const { code, stdout } = await runCommand([...path.split(" "), "--help"], { columns: 60 });
      expect(code).toBe(0);
      // Help cannot fold a single long word, such as a URL, and keeps the backslash at the end of a line.
      expect(stdout.split("\n").filter((line) => line.length > 60 && /\S\s+[^\s\\]/.test(line))).toEqual([]);
      expect(stdout).toMatch(
        new RegExp(`\nExamples?:\n  dispatch-cli ${path.replace(" list", "( list)?")}\\b`),
      );
      const [, others = ""] =
        /\nSee also: (.+)$/.exec(
          (stdout.split("\n\n`--help-all`")[0] ?? "").trim().replace(/(?<=See also: .*)\s+/gs, " "),
        ) ?? [];
      expect(others).not.toBe("");
      for (const other of others.split(", ")) expect(`${other} `).toMatch(knownPath);
    },
  );

  it.each(commands.map((command) => [pathOf(command), command] as const))(
    "dispatch-cli %s --help has at most 40 lines, and says how to see more options",
    async (path, command) => {
      const words = path.split(" ");
      const optionsIn = (text: string) =>
        text.split("\n").flatMap((line) => /^ {2}(-\S+)/.exec(line)?.[1] ?? []);
      const short = (await runCommand([...words, "--help"], { columns: 80 })).stdout.trimEnd();
      const whole = (await runCommand([...words, "--help-all"], { columns: 80 })).stdout;
      expect(short.split("\n").length).toBeLessThanOrEqual(40);
      expect(optionsIn(whole).length).toBeGreaterThanOrEqual(
        command.options.filter(({ hidden }) => !hidden).length,
      );
      const [, count] = /\n\n`--help-all` shows all (\d+) options.*\.$/.exec(short) ?? [];
      if (count === undefined) expect(optionsIn(short)).toEqual(optionsIn(whole));
      else expect(optionsIn(whole).length).toBe(Number(count));
      const needed = command.options.filter(({ description }) => description.endsWith("(required)"));
      for (const { flags } of needed) expect(short).toContain(`  ${flags} `.trimEnd());
    },
  );

  it.each(commands.map((command) => [pathOf(command), command] as const))(
    "%s says of each option more than its kind, its bounds, or its name",
    (_path, command) => {
      const poor =
        /^(?:$|\(required\)|(?:true or false|date|number|text)(?! of)\b|-?\d|up to|at least|one of|like|in the |ID or name|JSON|repeat)/;
      const isPoor = ({ description, long, short }: Option) => {
        const names = [long, short].map((name) => (name ?? "").replace(/^-+/, "").replaceAll("-", " "));
        const [said = ""] = description.replace(/ \(required\)$/, "").split(/;| \(/);
        return poor.test(description) || names.includes(said.toLowerCase());
      };
      const shown = command.options.filter(({ hidden }) => !hidden);
      expect(shown.filter(isPoor).map(({ flags, description }) => `${flags}: ${description}`)).toEqual([]);
    },
  );

  const paths = [...commands.map(pathOf), ...Object.keys(helpTopics).map((topic) => `help ${topic}`)];
  const knownPath = new RegExp(`^(${paths.join("|")})? ?(--help)? ?$`);
});

describe("help", () => {
  it("lists nouns and program commands", async () => {
    const { code, stdout, stderr } = await runCommand(["help", "commands"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const word of [...nouns, "init", "demo", "serve", "api", "openapi", "whoami"]) {
      expect(stdout).toMatch(new RegExp(`^  ${word} `, "m"));
    }
  });

  it("of the program has at most 25 commands and 40 lines", async () => {
    const { stdout } = await runCommand(["--help"], { columns: 80 });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.startsWith("  ")).length).toBeLessThanOrEqual(25);
  });

  it("of an operation describes each option from the model, with its bounds", async () => {
    const { stdout } = await runCommand(["addresses", "add", "--help"]);
    expect(stdout).toContain("--customer <name>");
    expect(stdout).toMatch(/--line-1 <text>\s+street address; up to 256 characters\s+\(required\)/);
    expect(stdout).toMatch(
      /--latitude <x>\s+degrees north, negative for south; -90 to 90;\s+default: approximate, from the ZIP/,
    );
    expect(stdout).toMatch(/--is-billing \[boolean\]\s+the customer's billing address/);
  });

  it("suggests the nearest noun, verb and option after a typo, with exit code 2", async () => {
    const noun = await runCommand(["jbos", "list"]);
    expect([noun.code, noun.stderr]).toEqual([
      2,
      expect.stringContaining("Did you mean `dispatch-cli jobs list`?"),
    ]);
    const verb = await runCommand(["jobs", "lsit"]);
    expect([verb.code, verb.stderr]).toEqual([
      2,
      expect.stringContaining("Did you mean `dispatch-cli jobs list`?"),
    ]);
    const option = await runCommand(["jobs", "list", "--truck-di", "3"]);
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining("Did you mean --truck-id?")]);
    expect((await runCommand(["export", "jobs", "--month", "may"])).stderr).toContain("Did you mean --from?");
  });

  it.each(["help jbos", "help jobs lsit", "jbos --help", "jobs lsit --help"])(
    "suggests no wrong command for `%s`",
    async (line) => {
      const { code, stdout, stderr } = await runCommand(line.split(" "));
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/Did you mean .*jobs/)]);
    },
  );

  it.each([
    ["jobs show 17", "jobs get 17"],
    ["jobs remove 17", "jobs delete 17"],
    ["customers edit 11", "customers update 11"],
    ["list jobs", "jobs list"],
    ["orders ls", "jobs ls"],
    ["drivers sick bo", "drivers off bo"],
  ])("suggests our command for the word of another program: %s", async (line, meant) => {
    const { code, stderr } = await runCommand(line.split(" "));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Did you mean \`dispatch-cli ${meant}\`?`)]);
  });

  it("quotes the words of a suggested command, and names the option of a name without one", async () => {
    const noun = await runCommand(["truck", "create", "Truck 8"]);
    expect(noun.stderr).toContain('Did you mean `dispatch-cli trucks create "Truck 8"`?');
    for (const words of [["Truck 8"], ["Truck", "8"]]) {
      const { code, stderr } = await runCommand(["trucks", "create", ...words]);
      const fix = 'The name is an option: `dispatch-cli trucks create --name "Truck 8"`.';
      expect([code, stderr]).toEqual([2, expect.stringContaining(fix)]);
    }
  });

  it("describes every path parameter", async () => {
    const { stdout } = await runCommand(["chats", "edit", "--help"]);
    expect(stdout).toMatch(/^ {2}id +message identifier$/m);
    expect(stdout).toMatch(/^ {2}--driver <name> +the driver, by ID or name \(required\)$/m);
  });

  it("appears on stderr, with exit code 2, for a noun without a verb", async () => {
    const { code, stdout, stderr } = await runCommand(["jobs"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: dispatch-cli jobs/);
  });
});

function pathOf(command: Command): string {
  return [command.parent?.parent ? command.parent.name() : "", command.name()].join(" ").trim();
}
