import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "day.db"), NO_COLOR: "1" };
const morning = new Date("2026-11-24T14:20:00Z");

/** Returns the commands of a page's example day. */
function readDay(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  const [, block = ""] = /^```sh\n(dispatch-cli (?:init|jobs create)[\s\S]*?)^```/m.exec(text) ?? [];
  return block
    .replaceAll(/ *\\\n */g, " ")
    .split("\n")
    .map((line) => line.replace(/^dispatch-cli /, "").replace(/ +# .*$/, ""))
    .filter((line) => line !== "");
}

/** Returns the command and what a terminal of 100 columns shows. */
async function type(line: string): Promise<string> {
  const shown = { stdout: "", stderr: "" };
  let screen = "";
  const follow = (stream: "stdout" | "stderr") => (text: string) => {
    screen += text.slice(shown[stream].length);
    shown[stream] = text;
  };
  const argv = toWords(line.replace("--out ", `--out ${folder}/`));
  const setting = { columns: 100, env, onErrorOutput: follow("stderr"), onOutput: follow("stdout") };
  const { code, stderr } = await runCommand(argv, setting);
  expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining("error")]);
  return `$ dispatch-cli ${line}\n${screen.replaceAll(`${folder}/`, "")}`;
}

it("leads through a day in which every command works (npm run record)", async () => {
  vi.useFakeTimers({ now: morning, toFake: ["Date"] });
  const first = readDay("README.md");
  const rest = readDay("docs/command-line.md");
  expect(first.length + rest.length).toBeGreaterThan(18);
  const screens: string[] = [];
  for (const line of first) screens.push(await type(line));
  await expect(screens.join("\n")).toMatchFileSnapshot("../../docs/first-day.txt");
  for (const line of rest) await type(line);
  const jobs = await type("jobs list --location 1 --all-states --fields id,state,address");
  expect(jobs).toMatch(/^ 1 {2}completed +1745 T Street SE, Washington$/m);
  expect(jobs).toMatch(/^ 2 {2}failed +1745 T Street SE, Washington$/m);
  vi.useRealTimers();
});
