import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { guideTexts } from "../../../src/openapi/docs-pages/guide-texts.ts";
import { packageLinks, servedLinks, toLlms } from "../../../src/openapi/docs-pages/llms.ts";
import { loadOperations } from "../../../src/operations/index.ts";

const project = new URL("../../../", import.meta.url);

it("is in the package, as the program writes it (npm run record)", async () => {
  await expect(toLlms(await loadOperations(), packageLinks)).toMatchFileSnapshot(
    fileURLToPath(new URL("llms.txt", project)),
  );
  const { files } = JSON.parse(readFileSync(new URL("package.json", project), "utf8"));
  expect(files).toContain("llms.txt");
});

it("links to files of the package", () => {
  const hrefs = packageLinks.flatMap(({ links }) => links.map(({ href }) => href));
  expect(hrefs.filter((href) => !existsSync(new URL(href, project)))).toEqual([]);
});

it("has the format of llms.txt: a title, a summary, sections of links", async () => {
  const lines = toLlms(await loadOperations(), packageLinks).split("\n");
  expect(lines[0]).toBe("# dispatch-cli");
  expect(lines[2]).toMatch(/^> /);
  const sections = lines.slice(lines.findIndex((line) => line.startsWith("## ")));
  for (const line of sections) expect(line).toMatch(/^(?:## .+|- \[.+\]\(.+\): .+|)$/);
});

it("names the client, and every guide", async () => {
  const operations = await loadOperations();
  expect(toLlms(operations, packageLinks)).toMatch(/createClient.*dispatch-cli-client/);
  const served = toLlms(operations, servedLinks(""));
  for (const name of Object.keys(guideTexts)) expect(served).toContain(`(/docs/guides/${name})`);
});
