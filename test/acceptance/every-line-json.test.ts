import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { runProgram } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const toLines = (stderr: string) =>
  stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("standard error of a server with a JSON log", () => {
  it.each([
    [["serve", "--port", "99999"], 2, "usage", /--port must be a number/],
    [["serve", "--nonsense"], 2, "usage", /no option --nonsense/],
    [["serve", "--data", "missing.db"], 5, "store_not_found", /no store at .*missing\.db/],
    [["serve", "--log-level", "loud", "-o", "json"], 2, "usage", /--log-level must be one of/],
  ])("is one line for %j, with the exit code %i", async (words, code, name, message) => {
    const { code: ended, stderr } = await runCommand(words);
    expect(ended).toBe(code);
    expect(toLines(stderr)).toEqual([
      {
        level: "fatal",
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        code: name,
        exit_code: code,
        fix: expect.stringMatching(/dispatch-cli|^Correct/),
        msg: expect.stringMatching(message),
      },
    ]);
  });

  it("is text where --log-format asks for text", async () => {
    const { stderr } = await runCommand(["serve", "--port", "99999", "--log-format", "text"]);
    expect(stderr).toMatch(/^error: --port must be a number/);
  });

  it("contains Node's own warnings, and an uncaught exception, which ends the process with 1", async () => {
    const fault = join(folder, "fault.cjs");
    writeFileSync(
      fault,
      `setImmediate(function wait() {
         if (process.listenerCount("uncaughtException") === 0) return void setImmediate(wait);
         process.emitWarning("odd");
         setImmediate(() => { throw new TypeError("torn"); });
       });`,
    );
    const { code, stderr } = await runProgram(["serve", "--memory", "--port", "0", "--log-format", "json"], {
      env: { NODE_OPTIONS: `--require ${fault}` },
    });
    expect(code).toBe(1);
    const lines = toLines(stderr);
    expect(lines).toContainEqual(expect.objectContaining({ level: "warn", warning: "Warning", msg: "odd" }));
    expect(lines.at(-1)).toMatchObject({
      ...{ level: "fatal", msg: "uncaught exception", exit_code: 1 },
      err: { type: "TypeError", message: "torn", stack: expect.stringContaining("fault.cjs") },
    });
  });
});
