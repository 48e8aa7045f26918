import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("says each change once", () => {
  const entries = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("- "));
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
});
