import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(project, "docs/security.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| (?!---|Attack|What happens)/.test(line));

const findNamed = (text: string) =>
  [...text.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = ""]) => file);

describe("docs/security.md", () => {
  it("names a test for each prevented attack", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => findNamed(row).length === 0)).toEqual([]);
  });

  it("names only tests that exist", () => {
    expect(findNamed(page).filter((file) => !existsSync(join(project, file)))).toEqual([]);
  });

  it("lists what is not defended", () => {
    expect(page).toMatch(/^## What is not defended\n\n- \*\*/m);
  });
});
