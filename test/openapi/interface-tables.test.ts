import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { errorTable } from "../../src/errors/errors.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { runCommand } from "../support/command-line.ts";

const page = fileURLToPath(new URL("../../docs/interface.md", import.meta.url));

// One test writes both tables, because each one writes the whole page.
it("docs/interface.md has the versions and error codes of the program (npm run record)", async () => {
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

it("docs/interface.md has every field of the models that have a section", async () => {
  const sections = readFileSync(page, "utf8").split(/^#{2,4} /m);
  const { schemas } = toOpenapi(await loadOperations(), newestVersion).components;
  const missing = Object.entries(schemas).flatMap(([model, schema]) => {
    const own = sections.filter((section) => section.split("\n", 1)[0]?.split(" ").includes(model));
    if (own.length === 0) return [];
    const words = new Set(own.join("").match(/\w+/g));
    return Object.keys(schema.properties ?? {})
      .filter((field) => !words.has(field))
      .map((field) => `${model}.${field}`);
  });
  expect(missing, "add a row to docs/interface.md").toEqual([]);
});
