import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, type Typing, typeCommand } from "../support/typed-command.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });
const type = (line: string, typings: Typing[], more: Record<string, string> = {}) =>
  typeCommand(line.split(" "), { ...env, ...more }, typings);

const countJobs = async () => JSON.parse((await run("jobs list -o json")).stdout).total_count as number;

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  await run("hooks delete 1 --yes");
  await run("locations create --name North");
  await runCommand(["customers", "create", "--location", "1", "--name", "Potomac Roofing", "--body", "-"], {
    env,
    input: JSON.stringify({
      contacts: [],
      addresses: ["1745 T Street", "9 Dock Road"].map((line_1) => ({
        ...{ country: "US", is_billing: true, is_shipping: true, latitude: 1, longitude: 2 },
        ...{ line_1, locality: "Washington", postcode: "20020", region: "DC" },
      })),
    }),
  });
});

describe("on a terminal", () => {
  it("a job is made by choosing, from its location to its date", async () => {
    const { code, stdout, stderr } = await type("jobs create -o json", [
      ["location (type to search)", "Acme"],
      ["❯ Main yard", keys.enter],
    ]).catch((error: unknown) => Promise.reject(error));
    expect([code, stdout, stderr]).toEqual([0, "", ""]);
  });
});
