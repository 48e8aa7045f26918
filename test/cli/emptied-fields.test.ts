import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db"), DISPATCH_OUTPUT: "json" };

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
});

async function update(...words: string[]) {
  const { code, stdout } = await runCommand(["jobs", "update", "1", "--location", "1", ...words], { env });
  return code === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : code;
}

it("clears a nullable text with an empty value, and stores the word null as text", async () => {
  expect(await update("--reference-number", "null")).toMatchObject({ reference_number: "null" });
  expect(await update("--reference-number", "")).toMatchObject({ reference_number: null });
  expect(await update("--reference-number", "A-1")).toMatchObject({ reference_number: "A-1" });
  expect(await update("--reference-number=")).toMatchObject({ reference_number: null });
});

it("stores an empty value where empty text is valid", async () => {
  expect(await update("--driver-notes", "gate")).toMatchObject({ driver_notes: "gate" });
  expect(await update("--driver-notes", "")).toMatchObject({ driver_notes: "" });
});

it("clears numbers, dates and Booleans with an empty value or null", async () => {
  for (const empty of ["", "null"]) {
    await update("--priority", "3");
    expect(await update("--priority", empty)).toMatchObject({ priority: null });
  }
});

it("refuses an empty value for a required field", async () => {
  const words = ["drivers", "create", "--location", "1", "--name", ""];
  expect((await runCommand(words, { env })).code).toBe(2);
});

it("is explained in the help of every command that changes a record", async () => {
  const { stdout } = await runCommand(["jobs", "update", "--help-all"]);
  expect(stdout).toMatch(/^An empty value empties a field: --[\w-]+ ""$/m);
});
