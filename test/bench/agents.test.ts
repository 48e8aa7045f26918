import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runProgram } from "../support/program.ts";

const bench = fileURLToPath(new URL("../../bench/agents.js", import.meta.url));

it("solves ten tasks of a dispatcher over MCP, within the tokens of a model's window", async () => {
  const { code, stdout } = await runProgram(["--transcript"], { command: [process.execPath, bench] });
  const tokensOf = (line: string) => Number(new RegExp(`^${line} +(\\d+)`, "m").exec(stdout)?.[1]);
  expect(code).toBe(0);
  expect(stdout.match(/^\S.* +\d+ +\d+$/gm)).toHaveLength(10);
  expect(stdout.match(/^ {2}> jobs_create .*"dry_run":false/m)).not.toBeNull();
  expect(tokensOf("list of the usual 20 tools")).toBeLessThan(6000);
  expect(tokensOf("largest answer")).toBeLessThan(8000);
});
