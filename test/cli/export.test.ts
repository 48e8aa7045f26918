import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import readWorkbook from "read-excel-file/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportToFile } from "../../src/cli/commands/export/export-records.ts";
import { openPartFile } from "../../src/cli/commands/export/part-file.ts";
import type { CliContext } from "../../src/cli/context.ts";
import type { OutputOptions } from "../../src/cli/output/options.ts";
import { untyped } from "../../src/client/client.ts";
import { toActor } from "../../src/core/actor.ts";
import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";
import { Zone } from "../../src/local-time/zone.ts";
import { type DemoStore, makeDemoStore } from "../demo/demo-store.ts";
import { noConfig, runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { createLocalClient } from "../support/local-client.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let demo: DemoStore;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await makeDemoStore(sqlite, { jobs: 400 });
  env = { DISPATCH_DATA: demo.database.data, DISPATCH_TENANT: "1" };
});
afterAll(() => demo.close());

const run = (words: string, more: Record<string, string> = {}) =>
  runCommand(words.split(" "), { env: { ...env, ...more } });

/** Runs a shell command in which `"$0" "$@"` is the built program. */
function runInShell(command: string, words: readonly string[]) {
  const program = fileURLToPath(new URL("../../bin/dispatch-cli.js", import.meta.url));
  return spawnSync("sh", ["-c", command, process.execPath, program, ...words], {
    encoding: "utf8",
    env: { ...env, PATH: process.env.PATH, DISPATCH_CONFIG: noConfig },
  });
}

const inFolder = (name: string) => join(folder, name);

describe("a workbook", () => {
  it("has the chosen columns in their order, real dates, numbers, and Booleans, and the zone of its times", async () => {
    const file = inFolder("chosen.xlsx");
    const columns = "id,completed_on,schedule_date,is_completed,type,customer.addresses,location_id";
    const { code, stderr } = await run(`export jobs --completed true --columns ${columns} --out ${file}`);
    expect(code, stderr).toBe(0);
    const [sheet] = await readWorkbook(file);
    const [header, row] = sheet?.data ?? [];
    expect(header).toEqual([...columns.split(","), "time_zone"]);
    const job = JSON.parse((await run("export jobs --completed true")).stdout.split("\n")[0] ?? "");
    const [{ line_1, locality, region, postcode }] = job.customer.addresses;
    const zone = new Zone("America/New_York");
    const { date, hour, minute, second } = zone.toLocal(job.completed_on);
    const toDate = (day: string, time: readonly number[]) =>
      new Date(`${day}T${time.map((part) => String(part).padStart(2, "0")).join(":")}Z`);
    expect(row).toEqual([
      ...[job.id, toDate(date, [hour, minute, second])],
      ...[toDate(job.schedule_date.slice(0, 10), [0, 0, 0]), true, job.type],
      expect.stringContaining(`${line_1}, ${locality}, ${region} ${postcode}`),
      ...[job.location_id, "America/New_York"],
    ]);
  });

  it("of all columns has no JSON in its cells, and imports as equal", async () => {
    const file = inFolder("whole.xlsx");
    await run(`export jobs --location 1 --out ${file}`);
    const [sheet] = await readWorkbook(file);
    const texts = sheet?.data.flat().filter((cell) => typeof cell === "string") ?? [];
    expect(texts.filter((text) => /^[[{]|T\d\d:\d\d:\d\d\.\d{6}$/.test(text))).toEqual([]);
    const { stdout } = await run(`import jobs ${file} --location 1 --plan -o json`);
    expect(JSON.parse(stdout).counts).toMatchObject({ create: 0, reject: 0, update: 0 });
  });
});

describe("a sheet of customers", () => {
  it("has a row for each address, the contacts in columns, and no JSON", async () => {
    const { stdout } = await run("export customers -o csv");
    const rows: Record<string, string>[] = parse(stdout, { columns: true });
    const customers = JSON.parse((await run("export customers -o json")).stdout).results as {
      addresses: { line_1: string }[];
      contacts: { name: string }[];
      id: number;
    }[];
    expect(rows.map(({ id, line_1 }) => [Number(id), line_1])).toEqual(
      customers.flatMap(({ addresses, id }) => addresses.map(({ line_1 }) => [id, line_1])),
    );
    const several = customers.find(({ contacts }) => contacts.length > 1);
    expect(rows.find(({ id }) => id === String(several?.id))?.contact_name).toBe(
      several?.contacts.map(({ name }) => name).join("; "),
    );
    expect(stdout).not.toContain("{");
    const some = await run("export customers --columns contact_name,name -o csv");
    expect(some.stdout.trim().split("\r\n").length).toBe(customers.length + 1);
  });

  it.each(["csv", "xlsx"])("is read back unchanged by import: %s", async (ending) => {
    for (const place of ["", " --location 1"]) {
      const file = inFolder(`customers${place.length}.${ending}`);
      await run(`export customers${place} --out ${file}`);
      const { stderr, stdout } = await run(`import customers ${file} --location 1 --plan -o json`);
      const rows = JSON.parse(stdout).rows as { action: string; errors?: { field: string }[] }[];
      // An import is for one location; the export of all has customers of others.
      const isElsewhere = rows.filter(({ errors }) => errors?.every(({ field }) => field === "locations"));
      const changed = rows.filter((row) => row.action !== "same" && !isElsewhere.includes(row));
      expect([changed, rows.length > isElsewhere.length], stderr).toEqual([[], true]);
      expect(isElsewhere.length > 0).toBe(place === "");
    }
  });
});

it.each(["csv", "xlsx"])("keeps contacts of which the first has no name or number: %s", async (ending) => {
  const contacts = [
    { email: "a@example.com" },
    { name: "Ann", number: "9" },
    { name: 'Bo; "B"', number: "8" },
  ];
  const body = JSON.stringify([{ addresses: [], contacts, name: "Gaps Inc.", reference_number: "GAPS" }]);
  const [given, file] = [inFolder("gaps.json"), inFolder(`gaps.${ending}`)];
  writeFileSync(given, body);
  const options = { env: { DISPATCH_DATA: inFolder(`gaps-${ending}.db`) } };
  const copy = (words: string) => runCommand(words.split(" "), options);
  const contactsOf = async () =>
    JSON.parse((await copy("export customers -o json")).stdout).results[0]?.contacts;
  await copy("init --location Yard");
  await copy(`import customers ${given} --yes`);
  const before = await contactsOf();
  await copy(
    `export customers --yes --out ${file} --location 1 --columns id,reference_number,contact_name,contact_number`,
  );
  expect((await copy(`import customers ${file} --plan`)).stdout).toMatch(/same +1/);
  await copy(`export customers --yes --out ${file}`);
  await copy(`init --location Yard --data ${options.env.DISPATCH_DATA}2`);
  options.env.DISPATCH_DATA += "2";
  await copy(`import customers ${file} --yes`);
  const withoutIds = (list: { id: number }[]) => list.map(({ id: _, ...contact }) => contact);
  expect(withoutIds(await contactsOf())).toEqual(withoutIds(before));
});

describe("export", () => {
  it("writes every record by id, with the same rows as the list", async () => {
    const listed = (await run("jobs list --all -o ndjson")).stdout.trim().split("\n");
    const { stdout } = await run("export jobs");
    const idOf = (line: string) => (JSON.parse(line) as { id: number }).id;
    expect(stdout.trim().split("\n")).toEqual(listed.toSorted((a, b) => idOf(a) - idOf(b)));
  });

  it("takes its format from the file name, and the filters of the list", async () => {
    for (const form of ["csv", "ndjson", "json"]) {
      const file = inFolder(`completed.${form}`);
      expect(await run(`export jobs --completed true --out ${file}`)).toMatchObject({ code: 0, stdout: "" });
      const all = (await run(`export jobs --completed true -o ${form}`)).stdout;
      expect(readFileSync(file, "utf8")).toBe(all);
    }
    const ids = (await run("jobs list --all --completed true -q")).stdout.trim().split("\n");
    expect(JSON.parse(readFileSync(inFolder("completed.json"), "utf8"))).toMatchObject({
      total_count: ids.length,
    });
  });

  it("accepts the shorthands of the list, also at a location", async () => {
    const counts = [];
    for (const words of ["", " --active", " --inactive"])
      counts.push((await run(`export jobs --location 1 --fields id${words}`)).stdout.split("\n").length - 1);
    const [all = 0, active = 0, inactive = 0] = counts;
    expect(active + inactive).toBe(all);
    expect(inactive).toBeGreaterThan(0);
    expect((await run("export jobs --active --inactive")).code).toBe(2);
  });

  it("names columns after the model, also at an older version", async () => {
    const headOf = async (words: string) => (await run(words)).stdout.split("\r\n")[0];
    expect(await headOf("export trucks -o csv --location 1")).toContain("driver_id,id,interface_color");
    expect(await headOf("export jobs -o csv --fields id,customer.name,created_by")).toBe(
      "id,customer.name,created_by",
    );
    expect(await headOf("export jobs -o csv --fields id,created_by_id --api-version 2019/02/08")).toBe(
      "id,created_by_id",
    );
  });

  it("exports every location if none is named", async () => {
    const ids = [];
    for (const location of (await run("locations list -q")).stdout.trim().split("\n"))
      ids.push(...(await run(`trucks list --location ${location} --all -q`)).stdout.trim().split("\n"));
    const exported = (await run("export trucks --fields id")).stdout.trim().split("\n");
    expect(exported.map((line) => String(JSON.parse(line).id))).toEqual(ids.filter((id) => id !== ""));
  });

  it("writes a record that every location lists only once", async () => {
    const ids = [];
    for (const location of (await run("locations list -q")).stdout.trim().split("\n"))
      ids.push(...(await run(`users list --location ${location} --all -q`)).stdout.trim().split("\n"));
    const exported = (await run("export users --fields id")).stdout.trim().split("\n");
    const written = exported.map((line) => String(JSON.parse(line).id));
    expect(written.toSorted()).toEqual([...new Set(ids)].toSorted());
  });

  it("is the same from a server", async () => {
    const made = await run("tokens create --username olivia -o json");
    const service = openService({ data: demo.database.data });
    const log = { write() {} };
    const server = await startServer(service, {
      delivers: false,
      host: "127.0.0.1",
      port: 0,
      log,
      logLevel: "silent",
    });
    const onServer = {
      DISPATCH_DATA: "",
      DISPATCH_URL: server.url,
      DISPATCH_TOKEN: JSON.parse(made.stdout).token,
    };
    expect((await run("export jobs -o csv", onServer)).stdout).toBe((await run("export jobs -o csv")).stdout);
    await server.close();
    await service.store.close();
  });

  it.each([
    ["jobs", /^add_to_routes,/],
    ["all", /^\{"type":"dispatch-export"/],
  ])("leaves an existing file unchanged without --yes: %s", async (what, head) => {
    const file = inFolder(`mine ${what}.csv`);
    writeFileSync(file, "mine");
    const words = ["export", what, "--out", file];
    expect(await runCommand(words, { env })).toMatchObject({ code: 2, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await runCommand([...words, "--yes"], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toMatch(head);
  });

  it.runIf(existsSync("/dev/full"))("reports a full disk on standard output", () => {
    for (const words of ["export jobs", "jobs list --all", "export all"]) {
      const { status, stderr } = runInShell('exec "$0" "$@" > /dev/full', words.split(" "));
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(
          /^error: Standard output cannot be written\n {2}why: the disk is full\.\n/,
        ),
      });
    }
  });

  it.each([
    ["export jobs --out /no/such/folder/x.csv", "there is no such folder"],
    ["export jobs -o yaml", "--output must be one of csv, ndjson, json"],
    ["export jobs --resume", "--resume needs the --out file"],
    ["export addresses", "Missing: --customer"],
    ["export jobs --fields nme", "nme"],
    ["export nothing", "nothing"],
  ])("refuses: %s", async (words, detail) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(detail);
  });
});

describe("an interrupted export", () => {
  const context = { stderr: { write: () => true }, onInterrupt: () => undefined } as unknown as CliContext;

  /** Exports all jobs, ten per page, from a target that disappears after some pages. */
  async function exportJobs(file: string, form: OutputOptions["form"], pagesMax: number, resumes = false) {
    const user = await demo.service.store.accounts.findUser(1, null);
    if (!user) throw new Error("The demo has no user.");
    const client = createLocalClient(demo.service, toActor(1, user, null, null));
    async function* pages(after: string | null) {
      let shown = 0;
      const query = { order: "id", page_after: after ?? 0, page_limit: 10 };
      for await (const page of untyped(client).walk("jobs.list", { query })) {
        if (shown++ === pagesMax) throw new Error("The target is gone.");
        yield page;
      }
    }
    const output = {
      form,
      fields: null,
      knownFields: ["id", "customer.name"],
      columns: [],
      isTerminal: false,
    };
    const source = { noun: "jobs", output: { ...output, width: 80, color: false }, total: null, pages };
    return exportToFile(context, source, { file, asked: form, resumes });
  }

  it.each(["csv", "ndjson", "json"] as const)(
    "as %s leaves no partial file, and is complete after it resumes",
    async (form) => {
      mkdirSync(inFolder(form));
      const whole = join(folder, form, "whole");
      await exportJobs(whole, form, Number.POSITIVE_INFINITY);
      const file = join(folder, form, "broken");
      await expect(exportJobs(file, form, 3)).rejects.toThrow("The target is gone.");
      expect(existsSync(file)).toBe(false);
      // The process died in the middle of a page: the next run must ignore the partial page.
      writeFileSync(`${file}.part`, `${readFileSync(`${file}.part`, "utf8")}half a li`);
      await expect(exportJobs(file, form, 2, true)).rejects.toThrow("The target is gone.");
      await exportJobs(file, form, Number.POSITIVE_INFINITY, true);
      expect(readFileSync(file, "utf8")).toBe(readFileSync(whole, "utf8"));
      expect(readdirSync(join(folder, form)).sort()).toEqual(["broken", "whole"]);
    },
  );

  it("is complete after a full disk and a resume, even if half a page was written", async () => {
    const words = (file: string) => ["export", "jobs", "--out", file];
    const whole = inFolder("whole.csv");
    await run(words(whole).join(" "));
    const file = inFolder("full.csv");
    // The shell's file size limit acts like a full disk: writes beyond it fail.
    const { status, stderr } = runInShell('ulimit -f 300; exec "$0" "$@"', words(file));
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("the disk is full") });
    expect(existsSync(file)).toBe(false);
    expect(await run(`${words(file).join(" ")} --resume`)).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(readFileSync(whole, "utf8"));
  });

  it("reports a full disk for a workbook, and leaves no file", () => {
    const file = inFolder("full.xlsx");
    const { status, stderr } = runInShell('ulimit -f 4; exec "$0" "$@"', ["export", "jobs", "--out", file]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("the disk is full") });
    expect(readdirSync(folder).filter((name) => name.startsWith("full.xlsx"))).toEqual([]);
  });

  it.each([
    ["damaged", (file: string) => writeFileSync(`${file}.part.json`, '{"asked')],
    ["empty", (file: string) => writeFileSync(`${file}.part.json`, "")],
    ["ahead of the file", (file: string) => truncateSync(`${file}.part`, 10)],
  ])("starts over if its record of progress is %s", async (name, harm) => {
    const whole = inFolder(`whole ${name}`);
    await exportJobs(whole, "csv", Number.POSITIVE_INFINITY);
    const file = inFolder(name);
    await expect(exportJobs(file, "csv", 3)).rejects.toThrow("The target is gone.");
    harm(file);
    await exportJobs(file, "csv", Number.POSITIVE_INFINITY, true);
    expect(readFileSync(file, "utf8")).toBe(readFileSync(whole, "utf8"));
  });

  it("starts over after a run that was killed at once, and ignores the progress of an earlier run", async () => {
    const whole = inFolder("whole of two");
    await exportJobs(whole, "ndjson", Number.POSITIVE_INFINITY);
    const file = inFolder("of two");
    await expect(exportJobs(file, "ndjson", 3)).rejects.toThrow("The target is gone.");
    const part = await openPartFile(file, "ndjson", false);
    await part.write([""], { count: 0, after: null });
    await part.write([readFileSync(whole, "utf8").replaceAll("a", "b")], { count: 99, after: "99" });
    await exportJobs(file, "ndjson", Number.POSITIVE_INFINITY, true);
    await part.close();
    expect(readFileSync(file, "utf8")).toBe(readFileSync(whole, "utf8"));
  });

  it("is not resumed by another export", async () => {
    const file = inFolder("other");
    await expect(exportJobs(file, "ndjson", 1)).rejects.toThrow();
    await expect(exportJobs(file, "csv", 1, true)).rejects.toMatchObject({ code: "usage" });
  });

  it("starts from the beginning if there is nothing to resume", async () => {
    const file = inFolder("fresh.ndjson");
    const { code, stderr } = await run(`export jobs --out ${file} --resume`);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing to resume") });
  });

  it("exits with 130 on Ctrl-C and prints how to resume", async () => {
    const file = inFolder("interrupted.csv");
    const words = `export jobs --out ${file}`.split(" ");
    const { code } = await runCommand(words, { env, interrupted: Promise.resolve() });
    expect(code).toBe(130);
    expect(existsSync(file)).toBe(false);
  });
});
