import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(project, "docs/security.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| (?!---|Attack|What happens)/.test(line));

/** The tests that a part of the page names: a file, and a part of a sentence in it. */
function findNamed(text: string) {
  return [...text.matchAll(/`(test\/[^`]+\.test\.ts)`: "([^"]+)"/g)].map(([, file = "", sentence = ""]) => ({
    file,
    sentence,
  }));
}

function findMissing(text: string) {
  return findNamed(text).filter(({ file, sentence }) => {
    const path = join(project, file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(sentence);
  });
}

describe("docs/security.md", () => {
  it("names a test for each attack that it says is stopped", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => findNamed(row).length === 0)).toEqual([]);
  });

  it("names only tests that exist", () => {
    expect(findMissing(page)).toEqual([]);
    expect(findMissing('`test/security.test.ts`: "names no\u0020such"')).toHaveLength(1);
    expect(findMissing('`test/none.test.ts`: "names"')).toHaveLength(1);
  });

  it("says what is not defended", () => {
    expect(page).toMatch(/^## What is not defended\n\n- \*\*/m);
  });
});
