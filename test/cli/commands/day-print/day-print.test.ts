import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extractText } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../../../src/core/open-service.ts";
import { startServer } from "../../../../src/http/serve.ts";
import { runCommand } from "../../../support/command-line.ts";
import { createJobWords, seedStore } from "../../../support/seed-store.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const onStore = { DISPATCH_DATA: data };
const targets: Record<string, Record<string, string>> = { store: onStore };
let end: () => Promise<void>;

const make = (...words: string[]) => runCommand([...words, "-o", "json"], { env: onStore });

beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  await make("hooks", "delete", "1", "--yes");
  await make("contacts", "add", "--customer", "1", "--name", "Dana", "--number", "202-555-0100");
  await make("locations", "update", "1", "--time-zone", "America/Los_Angeles");
  await make("tenants", "update", "1", "--paper", "a4");
  await make("trucks", "create", "--location", "1", "--name", "Truck 8");
  await make("trucks", "create", "--location", "1", "--name", "Idle");
  const day = ["--schedule-date", "2026-12-01"];
  const evening = [
    "--desired-start-time",
    "2026-12-02T01:00:00Z",
    "--desired-end-time",
    "2026-12-02T02:30:00Z",
  ];
  await make(...createJobWords, ...day, ...evening, "--truck-id", "2", "--require-signature", "true");
  await make(...createJobWords, ...day, "--reference-number", "REF-none");
  await make(...createJobWords, ...day, "--truck-id", "2", "--reference-number", "REF-done");
  await make("jobs", "complete", "5", "--location", "1", "--yes");
  const service = openService({ data });
  const quiet = { delivers: false, log: { write() {} }, logLevel: "silent" } as const;
  const server = await startServer(service, { ...quiet, host: "127.0.0.1", port: 0 });
  targets.server = { DISPATCH_TOKEN: token, DISPATCH_URL: server.url };
  end = async () => {
    await server.close();
    await service.store.close();
  };
});

afterAll(() => end());

const print = (target: string, ...words: string[]) => printDay(target, "2026-12-01", ...words);

/** Returns the text of each page without white space, because line breaks do not matter. */
async function printDay(target: string, ...words: string[]): Promise<string[]> {
  const file = join(folder, `${target}.pdf`);
  const env = targets[target] ?? {};
  const { code, stderr } = await runCommand(["day", "print", ...words, "--out", file], { env });
  expect([code, stderr]).toEqual([0, expect.stringContaining(file)]);
  const { text } = await extractText(new Uint8Array(readFileSync(file)));
  return text.map((page) => page.replace(/\s/g, ""));
}

describe.each(["store", "server"])("day print on a %s", (target) => {
  it("prints a summary, and a part for each truck with jobs", async () => {
    const [summary, ...parts] = await print(target);
    expect(summary).toContain("4jobs·3open·1onnotruck·1completed");
    expect(summary).toContain("Onnotruck:1Job4");
    expect(summary).toContain("Withoutopenjobs:1Idle");
    expect(parts.map((page) => /(Truck\d)Page1of1/.exec(page)?.[1])).toEqual(["Truck7", "Truck8"]);
  });

  it("shows local times, the contact to call and the requirements, and omits completed jobs", async () => {
    const [, , part] = await print(target);
    expect(part).toContain("5:00–6:30pm");
    expect(part).toContain("Dana202-555-0100");
    expect(part).toContain("Requirementssignature");
    expect(part).toContain("TimesAmerica/Los_Angeles");
    expect(part).toContain("1done,notprinted");
    expect(part).not.toContain("REF-done");
  });

  it("prints only the named trucks, by id or name, without a summary", async () => {
    expect(await print(target, "--truck", "truck 8")).toEqual([expect.stringContaining("Truck8Page1of1")]);
    expect(await print(target, "--truck", "1", "--truck", "truck 8")).toHaveLength(2);
  });

  it("uses the paper size of the tenant", async () => {
    await print(target);
    expect(readFileSync(join(folder, `${target}.pdf`), "latin1")).toContain("[0 0 595.28 841.89]");
  });

  it("reports a day without jobs", async () => {
    const [summary] = await printDay(target, "2001-01-01");
    expect(summary).toContain("Notruckhasopenjobsthatday.");
  });
});

describe("day print", () => {
  it.each([
    ["day print someday", 2, "is not a time"],
    ["day print 2026-12-01 --truck zebra", 5, 'There is no truck "zebra".'],
    ["day print 2026-12-01 --truck truck", 2, `"truck" matches 2 trucks: 1 Truck 7; 2 Truck 8`],
    ["day print 2026-12-01 --font none.ttf", 2, "none.ttf cannot be used"],
  ])("refuses %s", async (line, code, reason) => {
    const answer = await runCommand([...line.split(" "), "--out", join(folder, "no.pdf")], { env: onStore });
    expect(answer).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(reason) });
  });
});
