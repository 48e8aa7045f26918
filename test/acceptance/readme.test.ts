import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "day.db") };

/** The commands of the README's day, without what begins to serve. */
function readDay(): string[] {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, block = ""] = /^```sh\n(dispatch-cli init[\s\S]*?)^```/m.exec(text) ?? [];
  const lines = block.replaceAll("\\\n", "").split("\n");
  return lines
    .map((line) => line.replace(/^dispatch-cli /, "").replace(/ +# .*$/, ""))
    .filter((line) => line !== "" && !line.startsWith("serve "))
    .map((line) => line.replace("--out ", `--out ${folder}/`));
}

it("leads through a day whose every command works", async () => {
  const day = readDay();
  expect(day.length).toBeGreaterThan(10);
  for (const line of day) {
    const { code, stderr } = await runCommand(toWords(line), { env });
    // Which record a name was taken for, and where a document is, is told on standard error.
    expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining("error")]);
  }
  const { stdout } = await runCommand(toWords("jobs list --location 1 --fields id,state,address"), { env });
  expect(stdout).toMatch(/^ 1 {2}completed {2}1745 T Street SE, Washington$/m);
});
