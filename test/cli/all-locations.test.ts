import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (words: string) => runCommand(words.split(" "), { env });

beforeAll(async () => {
  await run("init --tenant Acme --location Yard");
  await run("locations create --name North");
});

describe.each([
  ["trucks", "Truck"],
  ["drivers", "Driver"],
])("%s of all locations", (noun, label) => {
  beforeAll(async () => {
    for (const place of ["North", "Yard"])
      await run(`${noun} create --location ${place} --name ${label}-${place}`);
  });

  it("are listed with the location of each, or by location", async () => {
    const all = await run(`${noun} all`);
    const rows = [...all.stdout.matchAll(/^\s*\d+\s+(\S+)\s+(\S+)/gm)].map(([, place, name]) => [
      place,
      name,
    ]);
    expect(rows).toEqual([
      ["Yard", `${label}-Yard`],
      ["North", `${label}-North`],
    ]);
    const north = await run(`${noun} all --location North -o json`);
    expect(north.stdout).toBe((await run(`${noun} list --location North -o json`)).stdout);
  });

  it("are suggested by a list without a location", async () => {
    const { code, stderr } = await run(`${noun} list`);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`list all with \`${noun} all\``),
    });
    expect((await run(`${noun} create --name x`)).stderr).not.toContain(`${noun} all`);
  });
});
