import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });

it("retention set changes no tenant if one of them does not exist", async () => {
  await run("init --tenant Acme");
  await run("tenants create --name Globex");
  const rules = async () => (await run("retention show --tenant all -o json")).stdout;
  const before = await rules();
  expect((await run("retention set events=7d --tenant 1,99")).code).toBe(4);
  expect(await rules()).toBe(before);
  expect((await run("retention set events=7d --tenant 1,2")).code).toBe(0);
  expect((await rules()).split('"kept_for":"7d"')).toHaveLength(3);
});
