import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { errorExamples } from "../../src/cli/commands/explain/explain.ts";
import { helpTopics } from "../../src/cli/help/topics.ts";
import { type ErrorCode, errorKind, errorTable, exitCodes } from "../../src/errors/errors.ts";
import { apiVersions } from "../../src/models/api-versions.ts";
import { changes } from "../../src/models/versions/index.ts";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

async function show(line: string, columns?: number): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    line.split(" "),
    columns === undefined ? {} : { columns },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const widthOf = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

describe("help <topic>", () => {
  it.each(Object.keys(helpTopics))("%s fits 80 columns, and the root help names it", async (topic) => {
    expect(widthOf(await show(`help ${topic}`, 80))).toBeLessThanOrEqual(80);
    expect(await show("--help")).toMatch(new RegExp(`Help topics:.*\\b${topic}\\b`, "s"));
  });

  it("exit-codes lists every exit code with its statuses", async () => {
    const text = await show("help exit-codes");
    for (const code of Object.values(exitCodes)) expect(text).toMatch(new RegExp(`^ +${code} +\\w`, "m"));
    expect(text).toMatch(/^ +6 +.*\(HTTP 409\b/m);
  });

  it("environment lists every variable that the source reads", async () => {
    const source = join(import.meta.dirname, "../../src");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const read = files.flatMap((file) => {
      const text = readFileSync(join(source, file), "utf8");
      return [...text.matchAll(/DISPATCH_[A-Z_]*[A-Z]|(?<=\benv\.)[A-Z_]{2,}/g)].map(([name]) => name);
    });
    const text = await show("help environment");
    expect([...new Set(read)].filter((name) => !text.includes(name))).toEqual([]);
  });

  it("filters lists the options of every list that has any", async () => {
    const text = await show("help filters");
    for (const line of [
      "jobs list",
      "--truck, --truck-id <name>",
      "--active",
      "audit list",
      "--location <name>",
    ])
      expect(text).toContain(line);
    expect(text).not.toContain("page-index <n>");
  });

  it("versions lists every version and every change", async () => {
    const text = (await show("help versions", 400)).replace(/\s+/g, " ");
    for (const version of apiVersions) expect(text).toContain(version);
    for (const change of changes) expect(text).toContain(change.text);
    expect(text).toContain("get_jobs_list_pdf");
  });

  it("suggests the nearest topic or command", async () => {
    for (const [word, meant] of [
      ["exit-code", "exit-codes"],
      ["versoins", "versions"],
      ["jbos", "jobs"],
    ]) {
      const { code, stdout, stderr } = await runCommand(["help", word ?? ""]);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(`Did you mean ${meant}?`)]);
    }
  });
});

describe("the root help", () => {
  it("is the same for no words, help and --help, and shows 25 commands at most in 80 columns", async () => {
    const asked = await show("--help", 80);
    expect((await runCommand([], { columns: 80 })).stdout).toBe(asked);
    expect(await show("help", 80)).toBe(asked);
    expect(widthOf(asked)).toBeLessThanOrEqual(80);
    expect(asked.match(/^ {2}\w/gm)?.length).toBeLessThanOrEqual(25);
  });
});

describe("explain", () => {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const folder = useTempFolder();
  const demo = join(folder, "demo.db");
  beforeAll(async () => {
    await runCommand(["demo", "--data", demo, "--jobs", "200"]);
  });

  it.each(codes)("explains %s: meaning, status, exit code and fix", async (code) => {
    const text = (await show(`explain ${code}`, 80)).replace(/\s+/g, " ");
    const { exitCode, explanation, fix, status, title } = errorKind(code);
    for (const part of [title, explanation, fix, String(exitCode), String(status ?? "none")])
      expect(text).toContain(part.replace(/\s+/g, " "));
    expect(JSON.parse(await show(`explain ${code} -o json`))).toMatchObject({
      code,
      exit_code: exitCode,
      status,
    });
  });

  it.each(Object.entries(errorExamples))("shows for %s an example that causes it: %s", async (code, line) => {
    const data = join(folder, `${code}.db`);
    copyFileSync(demo, data);
    const env = { DISPATCH_DATA: data, DISPATCH_TENANT: "1", DISPATCH_OUTPUT: "json" };
    const { code: exitCode, stdout, stderr } = await runCommand(toWords(line), { env });
    const lines = (stderr.includes('"code"') ? stderr : stdout).trim().split("\n");
    const body = JSON.parse(lines.find((text) => text.includes('"code"')) ?? "{}") as { code?: string };
    expect([body.code, exitCode]).toEqual([code, errorKind(code as ErrorCode).exitCode]);
  });

  it("lists all codes, or those of one status or exit code", async () => {
    const all = await show("explain", 80);
    for (const code of codes) expect(all).toMatch(new RegExp(`^ +${code} `, "m"));
    expect(widthOf(all)).toBeLessThanOrEqual(80);
    expect(await show("explain 409")).toMatch(/duplicate_record[\s\S]*state_conflict/);
    expect(await show("explain 6")).toMatch(/^Exit code 6: conflict/);
    expect(await show("explain 0")).toContain("Exit code 0: done");
    const ofStatus = codes.filter((code) => errorKind(code).status === 403);
    expect(JSON.parse(await show("explain 403 -o json"))).toHaveLength(ofStatus.length);
  });

  it("accepts a code in capitals or with dashes, and suggests the nearest code after a typo", async () => {
    expect(await show("explain Too-Long")).toContain("too_long: ");
    for (const [word, part] of [
      ["to_long", "Did you mean too_long?"],
      ["299", "no error"],
      ["", "no error code"],
      ["constructor", "no error code"],
    ] as const) {
      const { code, stderr } = await runCommand(["explain", word]);
      expect([code, stderr.toLowerCase()]).toEqual([2, expect.stringContaining(part.toLowerCase())]);
    }
  });
});
