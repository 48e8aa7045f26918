import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../../src/client/client.ts";
import { runCommand } from "../../../support/command-line.ts";
import { seedStore } from "../../../support/seed-store.ts";
import { serveStore } from "../../../support/serve-store.ts";
import { toWords } from "../../../support/shell-words.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });
const truckOf = async (id: number) => {
  const { stdout } = await run(`jobs get ${id} --location 1 -o json`);
  return (JSON.parse(stdout) as { truck_id: number | null }).truck_id;
};

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  // No receiver answers this webhook, so commands would print a note about pending deliveries.
  await run("hooks delete 1 --yes");
});

describe("undo", () => {
  it("describes the change that it would undo, and asks for confirmation", async () => {
    await run("jobs assign 2 --location 1 --truck-id 1");
    const { code, stderr } = await run("undo");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^jobs dispatch by owner, today \d+:\d\d\nJob 2: .*truck Truck 7 → –/);
    expect(stderr).toContain("Repeat the command with --yes.");
    expect(await truckOf(2)).toBe(1);
  });

  it("only describes the change with --dry-run", async () => {
    const { code, stdout } = await run("undo --dry-run");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Would undo:")]);
    expect(await truckOf(2)).toBe(1);
  });

  it("undoes the last change, and prints the result as data", async () => {
    const { code, stdout } = await run("undo --yes -o json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      operation: "jobs.dispatch",
      records: [{ after: { truck_id: null }, before: { truck_id: 1 }, record_id: 2, record_type: "Job" }],
    });
    expect(await truckOf(2)).toBeNull();
  });

  it("undoes the last change of the named record", async () => {
    await run("jobs assign 2 --location 1 --truck-id 1");
    await run("trucks update 1 --location 1 --notes washed");
    const { code, stdout } = await run("undo jobs 2 --yes");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Undone: jobs dispatch by owner, today \d+:\d\d\nJob 2: .*truck Truck 7 → –\n$/),
    ]);
    expect(await truckOf(2)).toBeNull();
  });

  it("finds a record by its name, even if that is a number, and confirms it on a terminal only", async () => {
    await run("jobs update 2 --reference-number 8800123");
    const named = await run("undo jobs 8800123 --dry-run");
    expect([named.code, named.stderr]).toEqual([0, expect.stringContaining("job 2 8800123")]);
    const asData = await run("undo jobs 8800123 --dry-run -o json");
    expect([asData.code, asData.stderr]).toEqual([0, ""]);
  });

  it("names the field that changed inside an address", async () => {
    await run("addresses update 1 --customer 1 --latitude 2.5");
    expect((await run("undo --dry-run")).stdout).toContain("address 1 latitude 2.5 → 1.5");
    await run("undo --yes");
  });

  describe("of an import", () => {
    const importNames = (names: readonly string[], as = "owner") =>
      runCommand(toWords(`import customers - --location 1 --key name --coordinates zip --yes --as ${as}`), {
        env,
        input: ["name,address", ...names.map((name) => `${name},"1 Elm St, Tacoma WA 98402"`)].join("\n"),
      });
    const isActive = async (name: string) =>
      (await run(`customers list --name ${name} --active -q`)).stdout !== "";

    it("takes back all of its records in one step", async () => {
      expect((await importNames(["Kent", "Olsen", "Zeta"])).stdout).toContain("3 created");
      expect((await run("undo --dry-run")).stdout).toMatch(
        /3 changes of one command:\n {2}customers create by owner: 3\nCustomer \d+ Zeta: deactivated\n/,
      );
      expect(await run("undo --yes")).toMatchObject({ code: 0, stdout: "Undone: 3 of 3 changes.\n" });
      expect([await isActive("Kent"), await isActive("Zeta")]).toEqual([false, false]);
    });

    it("takes back no earlier command", async () => {
      await run("trucks update 1 --location 1 --notes washed");
      await run("trucks update 1 --location 1 --notes waxed");
      expect((await run("undo --yes")).stdout).toContain("notes waxed → washed");
    });

    it("keeps a record that has changed since, and exits with 6", async () => {
      await run("users create --location 1 --username dee --roles Dispatcher");
      await importNames(["Abel", "Bode"]);
      await run("customers update Bode --name Bodo --as dee");
      const { code, stderr, stdout } = await run("undo --yes");
      expect([code, stdout]).toEqual([6, "Undone: 1 of 2 changes.\n"]);
      expect(stderr).toContain("was changed since: by dee");
    });

    it("takes back one record for a user who may not list changes, and says so", async () => {
      await importNames(["Cole", "Dorn"], "dee");
      const next = { code: 0, stderr: expect.stringContaining("Repeat `undo` for the next one") };
      expect(await run("undo --yes --as dee")).toMatchObject(next);
      expect(await run("undo --yes --as dee")).toEqual({ code: 0, stderr: "", stdout: expect.anything() });
    });
  });

  it("skips a change of a command that another record prevents, and undoes the others", async () => {
    await run("users create --location 1 --username root --roles Admin");
    const ids = [];
    for (const name of ["una", "ugo"]) {
      const { stdout } = await run(`users create --location 1 --username ${name} --roles Driver -o json`);
      ids.push((JSON.parse(stdout) as { id: number }).id);
    }
    const { token } = JSON.parse((await run("tokens create --username owner -o json")).stdout) as {
      token: string;
    };
    const server = await serveStore(env.DISPATCH_DATA, token);
    onTestFinished(server.end);
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    for (const id of ids)
      await fetch(`${server.env.DISPATCH_URL}/locations/1/users/${id}`, {
        body: JSON.stringify({ username: `new-${id}` }),
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          traceparent,
          "x-tenant-id": "1",
        },
        method: "PATCH",
      });
    await run("users create --location 1 --username ugo --roles Driver --as root");
    const { code, stderr, stdout } = await runCommand(["undo", "--yes"], { env: server.env });
    expect([code, stdout]).toEqual([6, "Undone: 1 of 2 changes.\n"]);
    expect(stderr).toContain("The user ugo exists already");
    expect((await run("users list --location 1 -o json")).stdout).toContain('"una"');
  });

  it("takes back all operations of a batch in one step", async () => {
    await run("jobs assign 2 --location 1 --truck-id 1");
    const parts = [
      { body: { dispatcher_notes: "Gated" }, method: "PATCH", path: "/locations/1/jobs/2" },
      { body: { notes: "waxed twice" }, method: "PATCH", path: "/locations/1/trucks/1" },
    ] as const;
    const operations = parts.flatMap((part) => ["--operations", JSON.stringify(part)]);
    expect((await runCommand(["batch", "run", ...operations], { env })).code).toBe(0);
    expect((await run("undo --yes")).stdout).toBe("Undone: 2 of 2 changes.\n");
    const { token } = JSON.parse((await run("tokens create --username owner -o json")).stdout) as {
      token: string;
    };
    const server = await serveStore(env.DISPATCH_DATA, token);
    onTestFinished(server.end);
    const client = createClient({ url: server.env.DISPATCH_URL, token, tenant: 1 });
    await client.call("batch.run", { body: { operations: parts } });
    const { stdout } = await runCommand(["undo", "--yes"], { env: server.env });
    expect(stdout).toBe("Undone: 2 of 2 changes.\n");
    expect(await truckOf(2)).toBe(1);
  });

  it("keeps the token that it uses", async () => {
    const made = await run("tokens create --username owner -o json");
    const { token } = JSON.parse(made.stdout) as { token: string };
    const server = await serveStore(env.DISPATCH_DATA, token);
    onTestFinished(server.end);
    const undone = await runCommand(["undo", "--yes"], { env: server.env });
    expect(undone).toMatchObject({ code: 6, stderr: expect.stringContaining("the token of this request") });
    expect((await runCommand(["whoami"], { env: server.env })).code).toBe(0);
  });

  it("exits with 6 for a change without an undo, and with 5 when nothing is left to undo", async () => {
    expect(await run("undo hooks 1 --yes")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("cannot be undone"),
    });
    expect(await run("undo trucks 999 --yes")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("fix: Find records with `dispatch-cli find`"),
    });
  });

  it("exits with 2 for an unknown kind of record, and for a kind without a record", async () => {
    expect(await run("undo ships 1")).toMatchObject({ code: 2 });
    expect(await run("undo 2")).toMatchObject({ code: 2, stderr: expect.stringContaining("undo jobs 2") });
    expect((await run("undo truck 1 --dry-run")).stderr).not.toContain("cannot be undone");
    expect(await run("undo jobs")).toMatchObject({ code: 2 });
  });
});
