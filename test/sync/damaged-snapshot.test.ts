import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { makeEmptyStore } from "../support/snapshot-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const source = join(folder, "source.db");
const file = join(folder, "damaged.ndjson");
let lines: string[];
let data: string;
let made = 0;

beforeAll(async () => {
  await makeEmptyStore(source);
  const on = ["--location", "1", "--data", source];
  for (const name of ["One", "Two", "Three"]) await runCommand(["trucks", "create", "--name", name, ...on]);
  await runCommand(["drivers", "create", "--name", "Zoë", ...on]);
  await runCommand(["trucks", "create", "--name", "Four", "--driver-id", "2", ...on]);
  const whole = join(folder, "whole.ndjson");
  await runCommand(["export", "all", "--data", source, "--out", whole]);
  lines = readFileSync(whole, "utf8").trimEnd().split("\n");
});

beforeEach(async () => {
  made += 1;
  data = join(folder, `target-${made}.db`);
  await makeEmptyStore(data);
});

const importLines = async (written: readonly string[], ...options: string[]) => {
  writeFileSync(file, `${written.join("\n")}\n`);
  return runCommand(["import", "all", file, "--data", data, "--yes", ...options]);
};
const trucks = async () => {
  const list = ["trucks", "list", "--location", "1", "--data", data, "-o", "json", "--fields", "name"];
  const { results } = JSON.parse((await runCommand(list)).stdout) as { results: { name: string }[] };
  return results.map(({ name }) => name);
};
const replaceLine = (text: string, written: string) =>
  lines.map((line) => (line.includes(text) ? written : line));
const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;

describe("a file that is not a snapshot", () => {
  it.each([
    ["empty", "", "it is empty"],
    ["a page of HTML", "<!DOCTYPE html>\n<html></html>\n", "is not a snapshot of `export all`"],
    ["other JSON", '{"results":[]}\n', "is not a snapshot of `export all`"],
    ["of another format", '{"type":"dispatch-export","format":2,"api_version":"2023/04/19"}\n', "format 2"],
    [
      "of another API version",
      '{"type":"dispatch-export","format":1,"api_version":"2030/01/01"}\n',
      "2030/01/01",
    ],
    ["bytes", "\0\u0001\ufffd", "is not a snapshot of `export all`"],
  ])("is refused as a whole if it is %s", async (_, text, why) => {
    writeFileSync(file, text);
    const { code, stderr } = await runCommand(["import", "all", file, "--data", data, "--yes"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(await trucks()).toEqual([]);
  });

  it("is refused if it is missing, or is standard input", async () => {
    const missing = await runCommand(["import", "all", join(folder, "none"), "--data", data]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("there is no such file")]);
    const piped = await runCommand(["import", "all", "-", "--data", data]);
    expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining("must be a file")]);
  });
});

describe("a damaged snapshot", () => {
  it("provides its complete records if it was truncated, and the rest with the whole file", async () => {
    const cut = [...lines.slice(0, lineOf('"Two"')), (lines[lineOf('"Two"')] ?? "").slice(0, 30)];
    const { code, stderr } = await importLines(cut);
    expect([code, stderr]).toEqual([2, expect.stringContaining("it was truncated")]);
    expect(stderr).toContain(`line ${cut.length}: it is not a JSON object.`);
    expect(await trucks()).toEqual(["One", "Two"]);
    expect((await importLines(lines)).code).toBe(0);
    const again = await runCommand(["export", "all", "--data", data]);
    expect(again.stdout.trimEnd().split("\n")).toEqual(lines);
  });

  it("reports each broken line with its number, and provides the others", async () => {
    const broken: [string, string][] = [
      ["{", "it is not a JSON object."],
      ["null", "it is not a JSON object."],
      ['{"type":"Rocket","record":{"id":1}}', 'its type is "Rocket"'],
      ['{"type":"Truck"}', "it has no record."],
      ['{"type":"Truck","record":{"id":9,"location_id":1}}', "Truck.name is required."],
      [
        '{"type":"Truck","record":{"id":9,"location_id":1,"name":"X","secret":1}}',
        "Truck.secret is not accepted.",
      ],
      [
        '{"type":"Truck","record":{"id":1,"location_id":1,"name":"X"}}',
        "Truck 1 is also in an earlier line.",
      ],
      [
        '{"type":"Truck","record":{"id":9,"location_id":"1","name":"X"}}',
        "Truck.location_id must be an Integer.",
      ],
    ];
    const end = lines.length - 1;
    const { code, stderr, stdout } = await importLines(
      [...lines.slice(0, end), ...broken.map(([text]) => text), ...lines.slice(end)],
      "-o",
      "json",
    );
    const refused = (JSON.parse(stdout) as { refused: { line: number; detail: string }[] }).refused;
    expect(code).toBe(2);
    expect(refused.map(({ line, detail }) => [line, detail])).toEqual(
      broken.map(([, detail], index) => [end + 1 + index, expect.stringContaining(detail)]),
    );
    expect(stderr).toContain(`line ${end + 1}: `);
    expect(await trucks()).toEqual(["One", "Two", "Three", "Four"]);
  });

  it("provides no record that refers to a broken or refused line, and says why", async () => {
    const { code, stderr } = await importLines(replaceLine('"Driver"', "{}"));
    expect(code).toBe(2);
    expect(stderr).toContain(
      `line ${lineOf('"Four"')}: Truck 4 (Four): driver_id names Driver 1, which is not in it.`,
    );
    expect(await trucks()).toEqual(["One", "Two", "Three"]);
  });

  it("reports refusals by the target", async () => {
    await runCommand(["tenants", "update", "1", "--truck-limit", "2", "--data", data]);
    const { code, stderr } = await importLines(lines);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("The tenant has 2 trucks, which is its limit."),
    ]);
    expect(stderr).toContain(`line ${lineOf('"Three"')}: Truck 3 (Three)`);
    expect(await trucks()).toEqual(["One", "Two"]);
  });

  it("is only shown by --plan, which stores nothing and exits with 0", async () => {
    const { code, stdout, stderr } = await importLines(replaceLine('"Driver"', "{}"), "--plan");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Truck +3 /m);
    expect(stderr).toContain("line");
    expect(await trucks()).toEqual([]);
  });
});
