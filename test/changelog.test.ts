import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const lines = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8").split("\n");

it("begins with Unreleased and ends with the first release", () => {
  const versions = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
  expect([versions[0], versions.at(-1)]).toEqual(["Unreleased", "0.1.0"]);
});

it("states each change once, in one line", () => {
  const entries = lines.filter((line) => line.startsWith("- "));
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
  expect(lines.filter((line) => line.startsWith("  "))).toEqual([]);
});
