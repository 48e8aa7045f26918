import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CliContext } from "../../src/cli/context.ts";
import { warnOfPlainHttp } from "../../src/cli/target/read-token.ts";
import { type DemoStore, makeDemoStore } from "../demo/demo-store.ts";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const home = process.cwd();
let demo: DemoStore;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await makeDemoStore(sqlite, { jobs: 40 });
  env = { DISPATCH_DATA: demo.database.data, DISPATCH_TENANT: "1" };
});
afterAll(() => demo.close());
beforeEach(() => process.chdir(folder));
afterEach(() => process.chdir(home));

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
const run = (line: string, more: Record<string, string> = env) =>
  runCommand(toWords(line), { columns: 100, env: more });

describe("what commands write", () => {
  it.each([
    ["trucks job-list-pdf 1 --location 1", "job-list-1.pdf"],
    ["trucks job-list-pdf 1 --location 1 --out list.pdf", "list.pdf"],
    ["jobs map --location 1 --out day.html", "day.html"],
    ["export customers --location 1 --out customers.csv", "customers.csv"],
    ["export all --out all.ndjson", "all.ndjson"],
  ])("can be read only by the current user: %s", async (line, file) => {
    expect(await run(line)).toMatchObject({ code: 0, stderr: expect.stringContaining(file) });
    expect(modeOf(file)).toBe("600");
  });

  it("a document without --out never replaces another file", async () => {
    const before = readFileSync("job-list-1.pdf");
    const { stderr } = await run("trucks job-list-pdf 1 --location 1");
    expect(stderr).toContain("written to job-list-1-2.pdf");
    expect(readFileSync("job-list-1.pdf")).toEqual(before);
  });

  it("an export follows no symbolic link at the path of its draft", async () => {
    writeFileSync("victim", "mine");
    for (const link of ["jobs.csv.part", "jobs.csv.part.json", "whole.ndjson.part"])
      symlinkSync(join(folder, "victim"), link);
    expect(await run("export jobs --out jobs.csv")).toMatchObject({ code: 0 });
    expect(await run("export all --out whole.ndjson")).toMatchObject({ code: 0 });
    expect(readFileSync("victim", "utf8")).toBe("mine");
  });

  it("an export writes directly to a device", async () => {
    expect(await run("export jobs --out /dev/null")).toMatchObject({ code: 0 });
    expect(await run("export all --out /dev/null --yes")).toMatchObject({ code: 0 });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe("a hostile server", () => {
  /** Starts a server that returns these bytes as a document with the name of a user's file. */
  async function serveDocument(bytes: string) {
    const server = createServer((request, response) => {
      if (request.url?.startsWith("/tenants"))
        return response
          .setHeader("content-type", "application/json")
          .end('{"results":[{"id":1,"name":"Acme"}],"total_count":1}');
      return response
        .setHeader("content-type", "application/pdf")
        .setHeader("content-disposition", "inline; filename=\"x.pdf\"; filename*=UTF-8''.bashrc")
        .end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, close: () => server.close() };
  }

  it("cannot choose a file to write", async () => {
    const { url, close } = await serveDocument("%PDF-1.7 evil");
    const { code, stderr } = await run(`trucks job-list-pdf 77 --location 1 --url ${url}`, {
      DISPATCH_TOKEN: "a.b.c",
    });
    close();
    expect([code, stderr]).toEqual([0, expect.stringContaining("written to job-list-77.pdf")]);
    expect(readdirSync(folder)).not.toContain(".bashrc");
  });

  it("cannot make the program write anything that is not a PDF", async () => {
    const { url, close } = await serveDocument("#!/bin/sh");
    const { code, stderr } = await run(`trucks job-list-pdf 78 --location 1 --url ${url}`, {
      DISPATCH_TOKEN: "a.b.c",
    });
    close();
    expect([code, stderr]).toEqual([8, expect.stringContaining("something else instead of a PDF")]);
    expect(readdirSync(folder)).not.toContain("job-list-78.pdf");
  });
});

describe("csv", () => {
  it("imports as equal, although a spreadsheet runs none of it", async () => {
    const texts = ["=1+1", "'=1+1", "''=1+1", "+1 202 555 0134", "-", "@home", "'quoted'", "plain", "'"];
    for (const [index, text] of texts.entries()) {
      const body = JSON.stringify({ name: `Truck ${index}`, notes: text });
      const made = await runCommand(toWords("trucks create --location 1 --body -"), { env, input: body });
      expect(made.code).toBe(0);
    }
    await run("export trucks --location 1 --out trucks.csv");
    const written = readFileSync("trucks.csv", "utf8");
    expect(written).not.toMatch(/,[=+@]/);
    const plan = await run("import trucks trucks.csv --location 1 --plan -o json");
    expect(JSON.parse(plan.stdout)).toMatchObject({ counts: { create: 0, reject: 0, update: 0 } });
    const raw = await run("import trucks trucks.csv --location 1 --plan -o json --raw-csv");
    expect((JSON.parse(raw.stdout) as { counts: { update: number } }).counts.update).toBe(6);
  });
});

describe("a token for another machine over plain http", () => {
  const url = "http://0.0.0.0:1";

  it("causes a warning, unless --insecure or DISPATCH_INSECURE allows it", async () => {
    const token = { DISPATCH_TOKEN: "a.b.c" };
    const warned = /The token goes to 0\.0\.0\.0 unencrypted/;
    expect((await run(`jobs list --url ${url}`, token)).stderr).toMatch(warned);
    expect((await run(`doctor --url ${url}`, token)).stderr).toMatch(warned);
    expect((await run(`jobs list --url ${url} --insecure`, token)).stderr).not.toMatch(warned);
    expect((await run(`jobs list --url ${url}`, { ...token, DISPATCH_INSECURE: "1" })).stderr).not.toMatch(
      warned,
    );
    expect((await run("jobs list --url http://127.0.0.1:1", token)).stderr).not.toMatch(warned);
  });

  it("causes a warning for any host except this machine, even if its name starts like localhost", () => {
    const told = (url: string) => {
      const stderr = { write: vi.fn() };
      warnOfPlainHttp({ stderr } as unknown as CliContext, url, false);
      return stderr.write.mock.calls.length;
    };
    const own = [
      "http://127.1.2.3",
      "http://localhost:1",
      "http://api.localhost",
      "http://[::1]:1",
      "https://far.example",
    ];
    expect(own.map(told)).toEqual(own.map(() => 0));
    const far = ["http://127.far.example", "http://127.0.0.1.far.example", "http://localhost.far.example"];
    expect(far.map(told)).toEqual(far.map(() => 1));
  });

  it("causes a warning when it is stored and on each command, unless the profile allows it", async () => {
    const kept = { DISPATCH_CONFIG: join(folder, "config") };
    writeFileSync("token.txt", "a.b.c");
    const warned = /The token goes to 0\.0\.0\.0 unencrypted/;
    const add = `profiles add far --url ${url} --token-file token.txt`;
    expect((await run(add, kept)).stderr).toMatch(warned);
    expect((await run("jobs list --profile far", kept)).stderr).toMatch(warned);
    await run(`${add} --insecure --replace`, kept);
    expect((await run("jobs list --profile far", kept)).stderr).not.toMatch(warned);
  });
});
