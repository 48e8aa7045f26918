import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "day.db") };

/** The commands of the first day in README.md, and of the rest of it in docs/command-line.md. */
function readDay(): string[] {
  return ["README.md", "docs/command-line.md"].flatMap((page) => {
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
    const [, block = ""] = /^```sh\n(dispatch-cli (?:init|jobs create)[\s\S]*?)^```/m.exec(text) ?? [];
    return block
      .replaceAll("\\\n", "")
      .split("\n")
      .map((line) => line.replace(/^dispatch-cli /, "").replace(/ +# .*$/, ""))
      .filter((line) => line !== "")
      .map((line) => line.replace("--out ", `--out ${folder}/`));
  });
}

it("leads through a day in which every command works", async () => {
  const day = readDay();
  expect(day.length).toBeGreaterThan(18);
  for (const line of day) {
    const { code, stderr } = await runCommand(toWords(line), { env });
    expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining("error")]);
  }
  const { stdout } = await runCommand(
    toWords("jobs list --location 1 --all-states --fields id,state,address"),
    { env },
  );
  expect(stdout).toMatch(/^ 1 {2}completed {2}1745 T Street SE, Washington$/m);
  expect(stdout).toMatch(/^ 2 {2}failed {5}1745 T Street SE, Washington$/m);
});
