import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parseShellLine } from "../../src/cli/completion/replies.ts";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const config = join(folder, "config");
const env = { DISPATCH_DATA: data, DISPATCH_CONFIG: config };

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  await runCommand(["profiles", "add", "own", "--data", data], { env });
});

/** Returns the candidates for a line, each with its description after a tab. */
async function complete(line: string, others: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(
    ["completion", "fish", `--complete=dispatch-cli ${line}`],
    {
      env: { ...env, ...others },
    },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trimEnd().split("\n").slice(1);
}

const valuesOf = (replies: readonly string[]) => replies.map((reply) => reply.split("\t")[0]);

describe("completion", () => {
  it.each([
    ["", ["jobs", "init", "help"]],
    ["jo", ["jobs"]],
    ["jobs ", ["list", "complete"]],
    ["jobs comp", ["complete"]],
    ["hooks li", ["list", "listen"]],
    ["profiles ", ["add", "use"]],
    ["help ", ["jobs", "exit-codes"]],
    ["help jobs cre", ["create"]],
    ["jobs list --is-", ["--is-dispatched"]],
    ["jobs list --is-dispatched ", ["true", "false"]],
    ["jobs list --is-dispatched --truck", ["--truck-id"]],
    ["jobs create --type ", ["D", "E", "P"]],
    ["users create --roles Admin,Dr", ["Admin,Driver"]],
    ["jobs list -o ", ["table", "json"]],
    ["jobs list --output=j", ["--output=json"]],
    ["jobs list --api-version 2019", ["2019/02/08"]],
    ["jobs list --fields id,customer.na", ["id,customer.name"]],
    ["jobs list --profile ", ["own"]],
    ["--profile ", ["own"]],
    ["--profile own jobs li", ["list"]],
    ["--ut", ["--utc"]],
    ["jobs --tenant ", ["1"]],
    ["profiles use ", ["own"]],
    ["explain dup", ["duplicate_record"]],
    ["completion ", ["bash", "zsh", "fish"]],
    ["versions diff 20", ["2019/02/08"]],
    ["customers list --location ", ["1"]],
    ["addresses list --customer ", ["1"]],
    ["jobs list --truck-id ", ["1"]],
    ["jobs list --truck-id=", ["--truck-id=1"]],
    ["jobs get --location 1 ", ["1"]],
    ["jobs get ", ["1"]],
    ["jobs list --as ", ["owner"]],
    ["jobs list --tenant ", ["1"]],
    ["jobs list --truck tr", ["Truck 7"]],
    ["jobs assign 1 --truck=Tr", ["--truck=Truck 7"]],
    ["trucks get tru", ["Truck 7"]],
    ["customers get łuk", ["Łukasz Bączek 株式会社"]],
    ["customers list --location ma", ["Main yard"]],
  ])("of `%s` suggests %j", async (line, expected) => {
    expect(valuesOf(await complete(line))).toEqual(expect.arrayContaining(expected));
  });

  it("describes each suggested id", async () => {
    expect(await complete("locations get ")).toContainEqual(expect.stringMatching(/^1\tMain yard/));
  });

  it("suggests only jobs that can be completed, and only deleted ones to restore", async () => {
    expect(valuesOf(await complete("jobs complete "))).toContain("1");
    await runCommand(["jobs", "delete", "1", "--location", "1", "--yes"], { env });
    expect(valuesOf(await complete("jobs restore "))).toContain("1");
    expect(valuesOf(await complete("jobs complete "))).not.toContain("1");
    await runCommand(["jobs", "restore", "1", "--location", "1"], { env });
  });

  it("suggests deliveries by their delivery_id, although it is not called id", async () => {
    const { stdout } = await runCommand(["deliveries", "list", "--hook", "1", "-o", "json"], { env });
    const { results } = JSON.parse(stdout) as { results: { delivery_id: string }[] };
    const ids = results.map(({ delivery_id }) => delivery_id);
    expect(ids).not.toEqual([]);
    expect(valuesOf(await complete("deliveries get --hook 1 "))).toEqual(ids);
    expect(valuesOf(await complete("deliveries replay --hook 1 --delivery-id "))).toEqual(ids);
  });

  it("suggests no option twice, no hidden option, and nothing after the last argument", async () => {
    expect(valuesOf(await complete("jobs list --truck-id 1 --truck"))).toEqual([]);
    expect(valuesOf(await complete("completion bash --"))).not.toContain("--complete");
    expect(await complete("jobs get 1 ")).toEqual([]);
  });

  it.each(["jobs create --body ", "serve --data ", "whoami --token-file=x"])(
    "leaves file names to the shell: `%s`",
    async (line) => {
      const { stdout } = await runCommand(["completion", "zsh", `--complete=dispatch-cli ${line}`], { env });
      expect(stdout).toBe("files\n");
    },
  );

  it.each([
    ["no store", "jobs complete ", { DISPATCH_DATA: join(folder, "none.db") }],
    ["a missing store file", "jobs complete ", { DISPATCH_DATA: folder }],
    [
      "no server",
      "jobs complete ",
      { DISPATCH_DATA: "", DISPATCH_URL: "http://127.0.0.1:1", DISPATCH_TOKEN: "x" },
    ],
    ["an unknown profile", "jobs list --profile none --truck-id ", {}],
    ["an unknown command", "nope nope ", {}],
    ["an unknown user", "jobs list --as nobody --truck-id ", {}],
    ["hostile words", "jobs list --truck-id '\u0000\\", {}],
  ])("prints nothing with %s", async (_what, line, others) => {
    expect(await complete(line, others)).toEqual([]);
  });

  it("names the supported shells when it refuses another", async () => {
    const { code, stderr } = await runCommand(["completion", "tcsh"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("bash, zsh, fish")]);
  });
});

describe("completion in bash", () => {
  const bin = join(folder, "bin");
  const run = promisify(execFile);

  beforeAll(() => {
    mkdirSync(bin);
    symlinkSync(
      fileURLToPath(new URL("../../bin/dispatch-cli.js", import.meta.url)),
      join(bin, "dispatch-cli"),
    );
    writeFileSync(join(folder, "body file.json"), "{}");
  });

  /** Asks the script in a real bash, which splits words at colons and equal signs too. */
  async function ask(line: string, type = 9): Promise<string[]> {
    const split = line.match(/"[^"]*"?|[:=]+|(?:[^\s:="\\]|\\.)+/g) ?? [];
    const words = /\s$/.test(line) ? [...split, ""] : split;
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const script = `
      eval "$(dispatch-cli completion bash)"
      COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_TYPE=${type}
      COMP_LINE='${line.replaceAll("'", "'\\''")}'; COMP_POINT=\${#COMP_LINE}
      _dispatch_cli dispatch-cli
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await run("bash", ["--norc", "-c", script], {
      cwd: folder,
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...env },
    });
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  }

  it("is a script that bash accepts and that registers itself", async () => {
    const script = 'eval "$(dispatch-cli completion bash)"; complete -p dispatch-cli';
    const { stdout } = await run("bash", ["--norc", "-c", script], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    expect(stdout).toContain("-F _dispatch_cli dispatch-cli");
  });

  it("completes commands, options and ids, with descriptions if there are several", async () => {
    expect(await ask("dispatch-cli jobs comp")).toEqual(["complete"]);
    expect(await ask("dispatch-cli hooks li")).toEqual([
      expect.stringMatching(/^list {2}\(/),
      expect.stringMatching(/^listen {2}\(/),
    ]);
    expect(await ask("dispatch-cli hooks li", 37)).toEqual(["list", "listen"]);
    expect(await ask("dispatch-cli locations get ")).toEqual(["1"]);
  });

  it("replaces only the word as bash splits it: after an equal sign, inside quotes", async () => {
    expect(await ask("dispatch-cli jobs list --output=js")).toEqual(["json"]);
    expect(await ask('dispatch-cli jobs list --api-version "2019')).toEqual(["2019/02/08"]);
    expect(await ask("dispatch-cli jobs list --reason a\\ b --output cs")).toEqual(["csv"]);
  });

  it("completes file names with their spaces where an option expects a file", async () => {
    expect(await ask("dispatch-cli jobs create --body body")).toEqual(["body file.json"]);
  });
});

describe("a shell's line", () => {
  it.each([
    ["a b", ["a"], "b", null],
    ["a b ", ["a", "b"], "", null],
    ['a "b c', ["a"], "b c", '"'],
    ["a 'b\\' c\\ d", ["a", "b\\"], "c d", null],
    ['a "b \\" c" ', ["a", 'b " c'], "", null],
    ["", [], "", null],
    ["a ''", ["a"], "", null],
    ["a '' b", ["a", ""], "b", null],
    ["ä 東\\", ["ä"], "東", null],
  ])("%j is split as a shell splits it", (line, words, current, quote) => {
    expect(parseShellLine(line)).toEqual({ words, current, quote });
  });
});

it("suggests the trucks and drivers of all locations, whatever their number", async () => {
  for (const number of [2, 3, 4, 5, 6, 7])
    await runCommand(["locations", "create", "--name", `Yard ${number}`], { env });
  const { stdout } = await runCommand(
    ["trucks", "create", "--location", "7", "--name", "Far", "-o", "json"],
    { env },
  );
  const { id } = JSON.parse(stdout) as { id: number };
  expect(valuesOf(await complete("trucks get "))).toEqual(["1", String(id)]);
  expect(valuesOf(await complete("trucks get --location 1 "))).toEqual(["1"]);
});
