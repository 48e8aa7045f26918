import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { widthOf } from "../../src/cli/output/fit-text.ts";
import { runCommand } from "../support/command-line.ts";
import { makeEmptyStore } from "../support/snapshot-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let here: string;
let there: string;
let made = 0;

beforeEach(async () => {
  made += 1;
  here = join(folder, `here-${made}.db`);
  there = join(folder, `there-${made}.db`);
  await makeEmptyStore(here);
  await makeEmptyStore(there);
});

const ok = async (...words: string[]) => {
  const { code, stdout, stderr } = await runCommand(words);
  expect([words.join(" "), code, stderr]).toEqual([words.join(" "), 0, expect.any(String)]);
  return stdout;
};
const addTruck = (data: string, name: string, ...options: string[]) =>
  ok("trucks", "create", "--location", "1", "--data", data, "--name", name, ...options);
const diff = async (...options: string[]) => {
  const words = ["diff", "--data", here, "--with", there, "-o", "json", ...options];
  const { code, stdout } = await runCommand(words);
  return { code, ...JSON.parse(stdout) };
};
const namesOf = async (noun: string, data: string) => {
  const json = await ok(noun, "list", "--location", "1", "--data", data, "-o", "json");
  return (JSON.parse(json) as { results: { name: string }[] }).results.map(({ name }) => name);
};

describe("diff", () => {
  it("reports that two new tenants are equal", async () => {
    expect(await diff()).toMatchObject({ code: 0, equal: true, records: [], refused: [] });
  });

  it("shows records only here, differing fields, and records only there, and exits with 9", async () => {
    await addTruck(here, "Both", "--notes", "new 🚛");
    await addTruck(here, "Only here");
    await addTruck(there, "Both", "--notes", "old");
    await addTruck(there, "Only there");
    const { code, equal, records, types } = await diff();
    expect([code, equal]).toEqual([9, false]);
    expect(types.find(({ type }: { type: string }) => type === "Truck")).toEqual({
      type: "Truck",
      create: 1,
      update: 1,
      same: 0,
      stays: 0,
      only_there: 1,
    });
    expect(records).toEqual([
      {
        type: "Truck",
        action: "update",
        id: 1,
        label: "1 (Both)",
        changes: [{ field: "notes", from: "old", to: "new 🚛", stays: false }],
      },
      { type: "Truck", action: "create", id: 2, label: "2 (Only here)", changes: [] },
      { type: "Truck", action: "only_there", id: 2, label: "2 (Only there)", changes: [] },
    ]);
  });

  it("fits its tables to the screen", async () => {
    await addTruck(
      here,
      "A truck with a name of some length, 東京の大きなトラック",
      "--notes",
      "x".repeat(300),
    );
    await addTruck(there, "A truck with a name of some length, 東京の大きなトラック");
    const { stdout } = await runCommand(["diff", "--data", here, "--with", there], { columns: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors have no width
    const lines = stdout.replace(/\u001b\[[\d;]*m/g, "").split("\n");
    // The path of a store may be longer than the screen.
    const rows = lines.filter((line) => !/^(here|there) /.test(line));
    expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(80);
  });

  it("reports that a material with another price stays, because no operation changes it", async () => {
    const material = ["materials", "create", "--location", "1", "--description", "Sand", "--unit-price"];
    await ok(...material, "1", "--data", here);
    await ok(...material, "2", "--data", there);
    expect((await diff()).records).toMatchObject([
      { action: "stays", changes: [{ field: "unit_price", from: 2, to: 1, stays: true }] },
    ]);
    const push = await ok("push", "--data", here, "--with", there, "--yes");
    expect(push).toContain("0 created, 0 changed, ");
  });
});

describe("push and pull", () => {
  it("keep records that only the receiving side has", async () => {
    await addTruck(here, "Here");
    await addTruck(there, "There");
    await ok("push", "--data", here, "--with", there, "--yes");
    expect(await namesOf("trucks", there)).toEqual(["There", "Here"]);
    expect(await namesOf("trucks", here)).toEqual(["Here"]);
    await ok("pull", "--data", here, "--with", there, "--yes");
    expect(await namesOf("trucks", here)).toEqual(["Here", "There"]);
    expect((await diff()).code).toBe(0);
  });

  it("transfer repeated changes: out of service and in again", async () => {
    await addTruck(here, "T", "--out-of-service");
    await ok("push", "--data", here, "--with", there, "--yes");
    await ok("trucks", "update", "1", "--location", "1", "--data", here, "--out-of-service", "false");
    await ok("push", "--data", here, "--with", there, "--yes");
    expect((await diff()).code).toBe(0);
  });

  it("change nothing without confirmation, and nothing with --plan", async () => {
    await addTruck(here, "T");
    const asked = await runCommand(["push", "--data", here, "--with", there]);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining(`Create or change 1 record in ${there}, tenant 1 (Acme) from ${here}`),
    ]);
    const plan = await ok("push", "--data", here, "--with", there, "--plan");
    expect(plan).toMatch(/^Truck +1 /m);
    expect(await namesOf("trucks", there)).toEqual([]);
  });

  it("transfer only the records of --only, and find the records that they refer to", async () => {
    await ok("drivers", "create", "--location", "1", "--data", here, "--name", "Zoë");
    await addTruck(here, "Driven", "--driver-id", "2");
    await addTruck(here, "Alone");
    const first = await runCommand(["push", "--data", here, "--with", there, "--only", "trucks", "--yes"]);
    expect([first.code, first.stderr]).toEqual([
      2,
      expect.stringContaining("driver_id names Driver 2, which is not there, and --only leaves it out."),
    ]);
    expect([await namesOf("trucks", there), await namesOf("drivers", there)]).toEqual([["Alone"], []]);
    await ok("push", "--data", here, "--with", there, "--only", "drivers, trucks", "--yes");
    expect(await namesOf("trucks", there)).toEqual(["Alone", "Driven"]);
    const wrong = await runCommand(["push", "--data", here, "--with", there, "--only", "rockets"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("asset-types, materials")]);
  });
});

describe("callers", () => {
  const asDriver = async (data: string) => {
    const user = ["users", "create", "--username", "drew", "--roles", "Driver", "--location", "1"];
    await ok(...user, "--data", data);
    return ["--data", data, "--as", "drew"];
  };

  it("with access to a part of the tenant are refused, because the part would look like the whole", async () => {
    const driver = await asDriver(here);
    for (const words of [
      ["export", "all"],
      ["diff", "--with", there],
      ["push", "--with", there, "--yes"],
    ]) {
      const { code, stderr } = await runCommand([...words, ...driver]);
      expect([code, stderr]).toEqual([4, expect.stringContaining("the caller acts as Driver")]);
    }
  });

  it("with access to one location are refused too", async () => {
    const user = ["users", "create", "--username", "lara", "--roles", "Dispatcher", "--location", "1"];
    await ok(...user, "--location-id", "1", "--data", here);
    const { code, stderr } = await runCommand(["export", "all", "--data", here, "--as", "lara"]);
    expect([code, stderr]).toEqual([4, expect.stringContaining("bound to a part of it")]);
  });

  it("without permission to write are refused before any change", async () => {
    await addTruck(there, "T");
    const driver = await asDriver(here);
    const pull = await runCommand(["pull", "--with", there, "--yes", ...driver]);
    expect([pull.code, pull.stderr]).toEqual([4, expect.stringContaining("is allowed to Admin")]);
    expect(await namesOf("trucks", here)).toEqual([]);
  });

  it("reports an unknown tenant, whichever side it is on", async () => {
    const ours = await runCommand(["diff", "--data", here, "--tenant", "9", "--with", there]);
    expect([ours.code, ours.stderr]).toEqual([4, expect.stringContaining("No tenant has the id 9")]);
    const theirs = await runCommand(["diff", "--data", here, "--with", there, "--with-tenant", "9"]);
    expect([theirs.code, theirs.stderr]).toEqual([
      4,
      expect.stringContaining("--with: No tenant has the id 9"),
    ]);
  });

  it("names the option that chooses one of several tenants of the other store", async () => {
    await ok("tenants", "create", "--name", "Second", "--data", there);
    for (const words of [["diff"], ["push", "--yes"], ["pull", "--yes"]]) {
      const line = [...words, "--data", here, "--with", there];
      const { code, stderr } = await runCommand(line, { env: { DISPATCH_TENANT: "1" } });
      expect([code, stderr]).toEqual([2, expect.stringContaining("Name one with --with-tenant.")]);
    }
  });
});
