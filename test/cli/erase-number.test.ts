import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

it("takes a number only as an ID when it erases a customer, although other commands find its reference number", async () => {
  const data = join(folder, "numbers.db");
  const run = (...words: string[]) => runCommand([...words, "--data", data]);
  expect((await run("init", "--tenant", "Acme", "--location", "Main")).code).toBe(0);
  const customer = [
    ...["--name", "Potomac", "--reference-number", "15623"],
    ...["--address", "1745 T Street SE, Washington DC 20020", "--contact", "name=Jo,number=555-0100"],
  ];
  expect((await run("customers", "create", "--location", "1", ...customer)).code).toBe(0);
  expect((await run("jobs", "list", "--customer", "15623")).code).toBe(0);
  expect(await run("customers", "erase", "15623", "--yes")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("There is no customer 15623."),
  });
  expect((await run("customers", "get", "1")).stdout).toContain("Potomac");
});
