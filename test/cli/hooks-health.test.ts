import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
// Nothing listens on this port.
const dead = "http://127.0.0.1:9/hook?key=s3cret";

const stores = [
  { name: "SQLite", create: () => ({ data: join(folder, "store.db"), remove: () => undefined }) },
  { name: "PostgreSQL", create: createEmptyDatabase },
];

describe.each(stores)("hooks health on $name", ({ create }) => {
  it("lists what fails, of every tenant, with the receiver's host and no secret", async () => {
    const { data, remove } = create();
    const run = async (...words: string[]) => {
      const { code, stderr, stdout } = await runCommand([...words, "--data", data]);
      expect([words.join(" "), code]).toEqual([words.join(" "), 0]);
      return { stderr, stdout };
    };
    await run("init", "--tenant", "Acme", "--location", "Yard");
    await run("tenants", "create", "--name", "Globex");
    await run("store", "policy", "--private-hooks", "allow");
    for (const tenant of ["1", "2"])
      await run("hooks", "create", "--events", "Truck", "--callback-url", dead, "--tenant", tenant);
    await run(
      "locations",
      "create",
      "--name",
      "Depot",
      "--address",
      "1745 T St SE, Washington DC 20020",
      "--tenant",
      "2",
    );
    const calm = await run("hooks", "health");
    expect(calm.stdout).not.toContain("127.0.0.1");
    expect(calm.stderr).toContain("2 healthy, 0 failing, 0 deactivated; 0 deliveries pending");
    await run("trucks", "create", "--name", "T", "--tenant", "1");
    for (const name of ["U", "V"]) await run("trucks", "create", "--name", name, "--tenant", "2");
    await run("hooks", "deliver");
    const failing = JSON.parse((await run("hooks", "health", "-o", "json")).stdout);
    expect(failing).toMatchObject([
      { tenant: "Globex", hook_id: 2, receiver: "http://127.0.0.1:9", state: "failing", pending: 2 },
      { tenant: "Acme", hook_id: 1, state: "failing", pending: 1 },
    ]);
    expect(JSON.stringify(failing)).not.toContain("s3cret");
    const { stderr } = await run("hooks", "health");
    expect(stderr).toContain("0 healthy, 2 failing, 0 deactivated; 3 deliveries pending");
    remove();
  });
});

it("works on a store only, and says so", async () => {
  const { code, stderr } = await runCommand(["hooks", "health", "--url", "http://127.0.0.1:9"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--data")]);
});
