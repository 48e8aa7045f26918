import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { errorTable } from "../../src/errors/errors.ts";
import { runCommand } from "../support/command-line.ts";

// One test writes both tables, because each one writes the whole page.
it("docs/interface.md has the versions and error codes of the program (npm run record)", async () => {
  const page = fileURLToPath(new URL("../../docs/interface.md", import.meta.url));
  const { stdout } = await runCommand(["versions", "-o", "json"]);
  const listed = JSON.parse(stdout) as { version: string; changes: string[] }[];
  const versions = listed.map(({ changes, version }) => `| ${version} | ${changes.join(" ")} |\n`);
  const codes = Object.entries(errorTable);
  const statuses = new Set(codes.flatMap(([, { status }]) => status ?? []));
  const errors = [...statuses]
    .toSorted((a, b) => a - b)
    .map((status) => {
      const own = codes.filter(([, kind]) => kind.status === status).map(([code]) => code);
      return `| ${status} | ${own.join(", ")} |\n`;
    });
  const text = readFileSync(page, "utf8")
    .replace(/(?<=^\| Version \| Change \|\n\|---\|---\|\n)(?:\|.*\n)+/m, versions.join(""))
    .replace(/(?<=^\| Status \| Codes \|\n\|---\|---\|\n)(?:\|.*\n)+/m, errors.join(""));
  await expect(text).toMatchFileSnapshot(page);
});
