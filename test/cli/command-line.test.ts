import { describe, expect, it } from "vitest";
import { splitGeneralOptions } from "../../src/cli/common-options.ts";
import { programVersion } from "../../src/runtime/program-version.ts";
import { runCommand } from "../support/command-line.ts";

const run = (line: string) => runCommand(line === "" ? [] : line.split(" "));

describe("a command line", () => {
  it.each([
    ["", "--help"],
    ["help", "--help"],
    ["help jobs list", "jobs list --help"],
    ["--utc help jobs list --help-all", "jobs list --help-all"],
  ])("`%s` does the same as `%s`", async (line, other) => {
    expect(await run(line)).toEqual(await run(other));
  });

  it("accepts --version only before the first word", async () => {
    const asking = ["--version", "-V", "--utc --version"];
    for (const line of asking) expect((await run(line)).stdout).toBe(`${programVersion}\n`);
    expect((await run("jobs --version")).code).toBe(2);
  });

  it("sets the format of errors, even when its options cannot be parsed", async () => {
    const lines = [
      "jobs -o json --tpyo",
      "-o json jobs lst",
      "jobs list -ojson --data",
      "jobs --output=json lst",
    ];
    for (const line of lines)
      expect(JSON.parse((await run(line)).stderr), line).toMatchObject({ status: null });
    expect((await run("jobs --output=csv lst")).stderr).toMatch(/^error: /);
  });

  it("is split at its noun and its verb", () => {
    expect(splitGeneralOptions("--data f -ojson jobs --utc list --data g".split(" "))).toEqual({
      form: "json",
      given: ["--data", "f", "-ojson", "--utc"],
      isUnfinished: false,
      words: ["jobs", "list", "--data", "g"],
    });
    expect(splitGeneralOptions(["jobs", "--data"])).toMatchObject({ isUnfinished: true, words: ["jobs"] });
  });
});
