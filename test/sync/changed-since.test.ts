import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";
import { noConfig, runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, typeCommand } from "../support/typed-command.ts";

const folder = useTempFolder();
const databases = { SQLite: sqlite.create, PostgreSQL: createEmptyDatabase };
const targets = Object.entries(databases).flatMap(([name, create]) =>
  (["store", "server"] as const).map((kind) => ({ name: `${name}, ${kind}`, create, kind })),
);

describe.each(targets)(
  "records that change between a plan and its confirmation [$name]",
  ({ create, kind }) => {
    const database = create();
    const env: Record<string, string> = { DISPATCH_CONFIG: noConfig };
    let close = async () => {};
    let made = 0;

    beforeAll(async () => {
      const onStore = { DISPATCH_DATA: database.data };
      const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
      if (kind === "store") return void Object.assign(env, onStore);
      const service = openService({ data: database.data });
      const log = { write() {} };
      const address = { host: "127.0.0.1", port: 0 };
      const server = await startServer(service, { ...address, delivers: false, log, logLevel: "silent" });
      Object.assign(env, { DISPATCH_URL: server.url, DISPATCH_TOKEN: token });
      close = async () => {
        await server.close();
        await service.store.close();
      };
    });
    afterAll(async () => {
      await close();
      database.remove();
    });

    const ok = async (...words: string[]) => {
      const { code, stderr, stdout } = await runCommand(words, { env });
      expect([words.join(" "), code, stderr]).toEqual([words.join(" "), 0, expect.any(String)]);
      return stdout;
    };
    const json = async (...words: string[]) => JSON.parse(await ok(...words, "-o", "json"));
    /** Runs the command and answers yes after another user's change. */
    const sayYes = async (words: string[], meanwhile: () => Promise<unknown>) => {
      const yes = async () => {
        await meanwhile();
        return `y${keys.enter}`;
      };
      return typeCommand([...words, "-o", "json"], env, [["?", yes]]);
    };
    const write = (text: string) => {
      made += 1;
      const file = join(folder, `${kind}-${made}.csv`);
      writeFileSync(file, text);
      return file;
    };
    const addTruck = async (name: string) =>
      String((await json("trucks", "create", "--location", "1", "--name", name, "--notes", "old")).id);
    const truck = (id: string) => json("trucks", "get", id, "--location", "1");
    const changeTruck = (id: string, ...options: string[]) =>
      ok("trucks", "update", id, "--location", "1", ...options);

    it("does not overwrite the record of a row, names it and its fields, imports the others and exits with 6", async () => {
      const [mine, other] = [await addTruck("Mine"), await addTruck("Other")];
      const file = write("name,notes\nMine,from the file\nOther,from the file\n");
      const words = ["import", "trucks", file, "--location", "1"];
      const first = await sayYes(words, () => changeTruck(mine, "--notes", "by hand"));
      expect(first.code, first.stderr).toBe(6);
      expect(JSON.parse(first.stdout)).toMatchObject({ changed_since: 1, rejected: 1, updated: 1 });
      expect([(await truck(mine)).notes, (await truck(other)).notes]).toEqual(["by hand", "from the file"]);
      expect(readFileSync(`${file}.rejects.csv`, "utf8")).toContain(
        'notes is ""by hand"" now, not ""old"". It was not changed.",Mine,from the file',
      );
      const again = await runCommand([...words, "--yes", "-o", "json"], { env });
      expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { changed_since: 0, updated: 1 }]);
      expect((await truck(mine)).notes).toBe("from the file");
    });

    it("does not change the record of a row if a field outside the file has changed", async () => {
      const id = await addTruck("Broken down");
      const file = write("name,notes\nBroken down,from the file\n");
      const { code } = await sayYes(["import", "trucks", file, "--location", "1"], () =>
        changeTruck(id, "--out-of-service", "true"),
      );
      expect([code, (await truck(id)).notes]).toEqual([6, "old"]);
      expect(readFileSync(`${file}.rejects.csv`, "utf8")).toContain("out_of_service is true now, not false");
    });

    it("changes a job if only its customer was renamed", async () => {
      const words = "jobs create --location 1 --type D --requested-by 1 --address-id 1".split(" ");
      const { id } = await json(...words, "--reference-number", "JOB-1");
      const file = write("reference_number,dispatcher_notes\nJOB-1,from the file\n");
      const { code, stderr } = await sayYes(["import", "jobs", file, "--location", "1"], () =>
        ok("customers", "update", "1", "--name", `Renamed ${made}`),
      );
      expect(code, stderr).toBe(0);
      const job = await json("jobs", "get", String(id), "--location", "1");
      expect(job.dispatcher_notes).toBe("from the file");
    });

    it("compares each part of a customer with the planned state, and drivers, whose list shows fewer fields", async () => {
      await ok("customer-locations", "update", "1", "--customer", "1", "--reference-number", "C-1");
      const file = write("reference_number,note,line_2\nC-1,from the file,from the file\n");
      const customer = await sayYes(["import", "customers", file, "--location", "1"], () =>
        ok("addresses", "update", "1", "--customer", "1", "--line-2", "by hand"),
      );
      expect(customer.code, customer.stderr).toBe(6);
      const address = await json("addresses", "get", "1", "--customer", "1");
      expect(address.line_2).toBe("by hand");

      const { id } = await json("drivers", "create", "--location", "1", "--name", "Zoë");
      const drivers = write("name,phone_number\nZoë,555-0100\n");
      const changed = await sayYes(["import", "drivers", drivers, "--location", "1"], () =>
        ok("drivers", "update", String(id), "--location", "1", "--phone-number", "555-0199"),
      );
      expect(changed.code, changed.stderr).toBe(6);
      const driver = await json("drivers", "get", String(id), "--location", "1");
      expect(driver.phone_number).toBe("555-0199");
    });

    it("are skipped by import all; those that were equal in the plan are not changed", async () => {
      const [planned, same, other] = [await addTruck("P1"), await addTruck("S1"), await addTruck("O1")];
      const file = join(folder, `${kind}-${database.data.length}.ndjson`);
      await ok("export", "all", "--out", file, "--yes");
      await changeTruck(planned, "--notes", "before the plan");
      await changeTruck(other, "--notes", "before the plan");
      const { code, stderr, stdout } = await sayYes(["import", "all", file], async () => {
        await changeTruck(planned, "--notes", "by hand");
        await changeTruck(same, "--notes", "by hand");
      });
      expect(code, stderr).toBe(6);
      expect(JSON.parse(stdout)).toMatchObject({ changed_since: 1 });
      expect(stderr).toContain('notes is "by hand" now, not "before the plan"');
      const notes = [await truck(planned), await truck(same), await truck(other)].map((one) => one.notes);
      expect(notes).toEqual(["by hand", "by hand", "old"]);
      expect((await runCommand(["import", "all", file, "--yes"], { env })).code).toBe(0);
      expect((await truck(planned)).notes).toBe("old");
    });
  },
);
