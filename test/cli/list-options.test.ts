import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Pager } from "../../src/cli/context.ts";
import { type CommandSetting, runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const env = { DISPATCH_DATA: data };
const run = (words: string, setting: CommandSetting = {}) =>
  runCommand(words.split(" "), { ...setting, env: { ...env, ...setting.env } });

let token: string;

beforeAll(async () => {
  token = await seedStore((words, input = "") => runCommand(words, { env, input }));
  const job = "jobs create --location 1 --type D --requested-by 1 --address-id 1 --reference-number";
  for (const reference of ["=1+1", "-5", "@x", "plain"]) await run(`${job} ${reference}`);
});

describe("--all", () => {
  it.each(["ndjson", "csv", "table", "yaml"])(
    "prints as %s the same as one page with all records",
    async (form) => {
      const one = await run(`jobs list --all-states -o ${form}`);
      const all = await run(`jobs list --all-states --all --page-limit 2 -o ${form}`);
      expect(all).toMatchObject({ code: 0, stderr: "" });
      const withoutPaging = (text: string) => text.replace(/^current_limit: .*$/m, "");
      expect(withoutPaging(all.stdout)).toBe(withoutPaging(one.stdout));
    },
  );

  it("is one answer of the interface as json, also on a terminal", async () => {
    const { results } = JSON.parse((await run("jobs list -o json")).stdout);
    const whole = { current_limit: 1000, current_page: 1, results, total_count: 6, total_pages: 1 };
    const piped = (await run("jobs list --all --page-limit 2 -o json")).stdout;
    expect(piped).toBe(`${JSON.stringify(whole)}\n`);
    const shown = (await run("jobs list --all --page-limit 2 -o json", { columns: 80 })).stdout;
    expect(shown).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  });

  it.each(["json", "ndjson", "csv", "yaml", "table"])(
    "is well-formed as %s without a record",
    async (form) => {
      const { code, stdout, stderr } = await run(`jobs list --all --completed true -o ${form}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: form === "table" ? "no records\n" : "" });
      const none = { current_limit: 1000, current_page: 1, results: [], total_count: 0, total_pages: 0 };
      if (form === "json") expect(JSON.parse(stdout)).toEqual(none);
      if (form === "yaml") expect(parse(stdout)).toEqual(none);
      if (form === "csv") expect(stdout).toMatch(/^add_to_routes,[^\n]*\r\n$/);
      if (form === "ndjson" || form === "table") expect(stdout).toBe("");
    },
  );

  it("prints the requested fields", async () => {
    const { stdout } = await run("jobs list --all --page-limit 2 --fields id,customer.name -o ndjson");
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toEqual({
      customer: { name: "Łukasz Bączek 株式会社" },
      id: 1,
    });
  });

  it.each(["--watch", "--page-index 2"])("excludes %s", async (other) => {
    expect(await run(`jobs list --all ${other}`)).toMatchObject({ code: 2, stdout: "" });
  });

  it("exits with 130 when it is interrupted", async () => {
    const interrupted = Promise.resolve();
    expect(await run("jobs list --all --page-limit 1", { interrupted })).toMatchObject({ code: 130 });
  });
});

describe("--quiet", () => {
  it("prints only ids, also of created records", async () => {
    expect((await run("jobs list -q --all")).stdout).toBe("1\n2\n3\n4\n5\n6\n");
    expect((await run("jobs get 2 --location 1 --quiet")).stdout).toBe("2\n");
    const made = await run("trucks create --location 1 --name New --quiet --dry-run");
    expect(made.stdout).toBe("2\n");
  });

  it("cannot be combined with -o or --fields", async () => {
    expect((await run("jobs list -q -o json")).code).toBe(2);
    expect((await run("jobs list -q --fields id")).code).toBe(2);
  });
});

describe("csv", () => {
  it("marks formulas as text for spreadsheets, keeps numbers, and prints the exact values with --raw-csv", async () => {
    const words = "jobs list --all -o csv --fields reference_number,customer.addresses,priority";
    const plain = (await run(`${words} --raw-csv`)).stdout.split("\r\n").map((line) => line.split(",")[0]);
    expect(plain).toEqual(["reference_number", "", "", "=1+1", "-5", "@x", "plain", ""]);
    const safe = (await run(words)).stdout.split("\r\n").map((line) => line.split(",")[0]);
    expect(safe).toEqual(["reference_number", "", "", "'=1+1", "'-5", "'@x", "plain", ""]);
  });
});

/** A promise, and the function that resolves it. */
function createMoment() {
  let come = () => {};
  const comes = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { come, comes };
}

describe("--watch", () => {
  it("prints only new or changed records as lines, until Ctrl-C, if the output is not a terminal", async () => {
    const shown = createMoment();
    const changed = createMoment();
    const watching = run("jobs list --watch -o ndjson --fields id,driver_notes", {
      interrupted: changed.comes,
      onOutput(text) {
        if (text.includes('"id":6,')) shown.come();
        if (text.includes("changed")) changed.come();
      },
    });
    await shown.comes;
    await run("jobs update 3 --location 1 --driver-notes changed");
    const { code, stdout } = await watching;
    expect(code).toBe(130);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toEqual({ driver_notes: "changed", id: 3 });
  });

  it("redraws on its own screen on a terminal, and restores the previous screen", async () => {
    const drawn = createMoment();
    const { code, stdout } = await run("jobs list --watch", {
      interrupted: drawn.comes,
      onOutput: (text) => void (text.includes("Ctrl-C") && drawn.come()),
      columns: 80,
      rows: 6,
    });
    expect(code).toBe(130);
    expect(stdout.startsWith("\u001b[?1049h\u001b[?25l\u001b[?2026h\u001b[H")).toBe(true);
    expect(stdout.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
    expect(stdout).toContain("3 more lines");
    expect(stdout.split("\r\n")).toHaveLength(6);
  });

  it.each(["jobs list", "jobs list --location 1", "customers list --location 1"])(
    "of `%s` on a server uses its stream instead of polling",
    async (list) => {
      const lines: string[] = [];
      const shown = createMoment();
      const server = await serveStore(data, token, { write: (line) => void lines.push(line) });
      const onServer = { DISPATCH_DATA: "", ...server.env };
      const setting = { env: onServer, interrupted: shown.comes, onOutput: shown.come };
      expect(await run(`${list} --watch -o ndjson --fields id`, setting)).toMatchObject({ code: 130 });
      await server.end();
      const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path);
      expect(paths).toContain("/stream");
    },
  );

  it("fails at once when the target is missing", async () => {
    const missing = { DISPATCH_DATA: "", DISPATCH_URL: "http://127.0.0.1:9", DISPATCH_TOKEN: "a.b" };
    expect(await run("jobs list --watch", { env: missing })).toMatchObject({ code: 8, stdout: "" });
  });
});

describe("the pager", () => {
  function pagerOf(started: string[]) {
    let text = "";
    const pager: Pager = {
      write: async (more) => {
        text += more;
      },
      isClosed: () => false,
      end: async () => undefined,
    };
    const startPager = async (command: string) => {
      started.push(command);
      return pager;
    };
    return { startPager, text: () => text };
  }

  it("gets all of a table that is longer than the terminal, and no shorter one", async () => {
    const started: string[] = [];
    const { startPager, text } = pagerOf(started);
    const long = await run("jobs list", { columns: 80, rows: 6, startPager });
    expect(long.stdout).toBe("");
    expect(text()).toBe((await run("jobs list", { columns: 80 })).stdout);
    await run("jobs list --all --page-limit 2", { columns: 80, rows: 6, startPager });
    const none = { columns: 80, rows: 6, startPager };
    await run("jobs list", { columns: 80, rows: 40, startPager });
    await run("jobs list --no-pager", none);
    await run("jobs list -o csv", none);
    await run("jobs list", { ...none, env: { PAGER: "cat" } });
    await run("jobs list", { ...none, env: { PAGER: "" } });
    await run("jobs list", { rows: 6, startPager });
    expect(started).toEqual(["less", "less"]);
  });

  it("is skipped when it is missing", async () => {
    const shown = await run("jobs list", { columns: 80, rows: 6, startPager: async () => null });
    expect(shown).toMatchObject({ code: 0, stdout: (await run("jobs list", { columns: 80 })).stdout });
  });
});

describe("a server that asks the client to wait", () => {
  async function serve(
    answers: readonly (string | null)[],
  ): Promise<{ url: string; close(): void; asked(): number }> {
    let asked = 0;
    const server = createServer((_, response) => {
      const retryAfter = answers[Math.min(asked++, answers.length - 1)] ?? null;
      const list = { current_limit: 1, current_page: 1, results: [{ id: 1, name: "One" }], total_count: 1 };
      const violation = { code: "rate_limited", detail: "Too many.", field: null };
      const refusal = { ...violation, errors: [violation], request_id: "1", status: 429, title: "Too many" };
      response.writeHead(retryAfter === null ? 200 : 429, {
        "content-type": "application/json",
        ...(retryAfter !== null && { "retry-after": retryAfter }),
      });
      response.end(JSON.stringify(retryAfter === null ? { ...list, total_pages: 1 } : refusal));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, close: () => server.close(), asked: () => asked };
  }

  const onServer = (url: string) => ({ DISPATCH_DATA: "", DISPATCH_URL: url, DISPATCH_TOKEN: "a.b" });

  it("is retried after the wait, and exit code 7 reports repeated refusals", async () => {
    const patient = await serve(["0", "0", null]);
    expect(await run("tenants list -q", { env: onServer(patient.url) })).toMatchObject({
      code: 0,
      stdout: "1\n",
    });
    expect(patient.asked()).toBe(4);
    patient.close();
    const busy = await serve(["0"]);
    expect(await run("tenants list", { env: onServer(busy.url) })).toMatchObject({ code: 7, stdout: "" });
    busy.close();
  });

  it("is not retried when it asks for an hour", async () => {
    const busy = await serve(["3600"]);
    expect(await run("tenants list", { env: onServer(busy.url) })).toMatchObject({ code: 7 });
    expect(busy.asked()).toBe(1);
    busy.close();
  });
});
