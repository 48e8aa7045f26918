import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../src/cli/command-line.ts";

const read = (line: string) => readCommandLine(line === "" ? [] : line.split(" "));

describe("a command line", () => {
  it.each([
    ["", "--help"],
    ["help", "--help"],
    ["help jobs list", "jobs list --help"],
    ["jobs list --all", "jobs list --all"],
  ])("`%s` is parsed as `%s`", (line, words) => {
    expect(read(line).words).toEqual(words.split(" "));
  });

  it("names a topic with the one word that follows help", () => {
    const lines = ["help filters", "help", "help jobs list", "help --all", "jobs help"];
    expect(lines.map((line) => read(line).topic)).toEqual(["filters", null, null, null, null]);
  });

  it("asks for the version with its first word only", () => {
    const lines = ["--version", "-V", "jobs --version", ""];
    expect(lines.map((line) => read(line).asksVersion)).toEqual([true, true, false, false]);
  });

  it("names the form of errors, also where its options cannot be parsed", () => {
    const lines = ["jobs -o json --tpyo", "jobs --output json", "jobs --output=csv", "jobs -o", "jobs"];
    expect(lines.map((line) => read(line).form)).toEqual(["json", "json", "csv", null, null]);
  });

  it("turns colours off with --no-color, wherever it stands", () => {
    expect([read("jobs list --no-color").noColour, read("jobs list").noColour]).toEqual([true, false]);
  });
});
