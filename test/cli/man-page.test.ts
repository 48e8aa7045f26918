import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toManPage } from "../../src/cli/help/man-page.ts";
import { helpTopics } from "../../src/cli/help/topics.ts";
import { loadWholeTree, runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const tree = await loadWholeTree();
const page = await toManPage(tree);

it("has a section for every command and every help topic", async () => {
  expect((await runCommand(["man"])).stdout).toBe(page);
  for (const command of tree.commands.flatMap((noun) =>
    noun.commands.length > 0 ? noun.commands : [noun],
  )) {
    const noun = command.parent === tree ? "" : `${command.parent?.name()} `;
    expect(page).toContain(`\n.SS "${`${noun}${command.name()}`.replaceAll("-", "\\-")}`);
  }
  for (const topic of Object.keys(helpTopics))
    expect(page).toContain(`.SH "${topic.replace("-", " ").toUpperCase()}"`);
});

it("holds plain ASCII, and no line that roff would misread as a request", () => {
  expect(page).toMatch(/^[\x20-\x7e\n]*$/);
  const requests = page.split("\n").filter((line) => /^[.']/.test(line));
  expect(new Set(requests.map((line) => line.split(" ", 1)[0]))).toEqual(
    new Set([".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".nh", ".ad"]),
  );
});

it("is read by groff without a warning, and keeps its text", (context) => {
  const file = join(folder, "dispatch-cli.1");
  writeFileSync(file, page);
  const { error, stderr, stdout } = spawnSync("groff", ["-man", "-Tascii", "-ww", "-P-cbou", file], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  if (error) return context.skip("groff is not installed");
  expect(stderr).toBe("");
  const flat = stdout.replace(/\s+/g, " ");
  expect(flat).toContain("--driver-notes <text>");
  expect(flat).toContain("`dispatch-cli whoami` shows where each value");
  expect(flat).toContain("/locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf");
});
