import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { toReadableLog } from "../../src/cli/output/readable-log.ts";
import { loadPaint } from "../../src/cli/output/screen.ts";
import { type CommandSetting, runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
let token: string;

beforeAll(async () => {
  await runCommand(["init", "--data", data]);
  const words = ["tokens", "create", "--username", "owner", "--name", "Front desk", "--data", data];
  token = (JSON.parse((await runCommand([...words, "-o", "json"])).stdout) as { token: string }).token;
});

/** Serves the store, sends two requests, and returns the standard error. */
async function serve(words: readonly string[], setting: CommandSetting): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "x-tenant-id": "1" };
  let end: () => void = () => undefined;
  let isAsked = false;
  const interrupted = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ask = async (url: string) => {
    await fetch(`${url}/locations/1/trucks`, { headers });
    await fetch(`${url}/jobs`);
  };
  const { code, stderr } = await runCommand(["serve", "--data", data, "--port", "0", ...words], {
    ...setting,
    interrupted,
    onOutput: (text) => {
      const [url] = /http:\/\/[\d.:]+/.exec(text) ?? [];
      if (url === undefined || isAsked) return;
      isAsked = true;
      void ask(url).finally(end);
    },
  });
  expect(code).toBe(0);
  return stderr;
}

describe("the log of serve", () => {
  it("is one line for each request on a terminal, with the tenant, the token name and a colored status", async () => {
    const stderr = await serve([], { columns: 100, env: { FORCE_COLOR: "1" } });
    const plain = (await serve(["--log-format", "text"], { env: { NO_COLOR: "1" } })).split("\n");
    expect(stderr).toContain("\x1b[32m200\x1b[39m");
    expect(stderr).toContain("\x1b[33m401\x1b[39m");
    expect(plain[0]).toMatch(
      /^\d\d:\d\d:\d\d {2}GET {5}\/locations\/1\/trucks +200 +[\d.]+ m?s {2}tenant 1 · Front desk$/,
    );
    expect(plain[1]).toMatch(/^\d\d:\d\d:\d\d {2}GET {5}\/jobs +401 +[\d.]+ m?s {2}from 127\.0\.0\.1$/);
    expect(stderr).not.toMatch(/Server (?:listening|is asked)/);
  });

  it("is JSON if the output is not a terminal or on request, with the same records", async () => {
    const [here, asked] = [await serve([], {}), await serve(["--log-format", "json"], { columns: 80 })].map(
      (text) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter(({ msg }) => msg === "request")
          .map(({ request_id: _id, trace_id: _trace, duration_ms: _ms, time: _time, ...rest }) => rest),
    );
    expect(here).toEqual(asked);
    expect(here?.[0]).toMatchObject({
      method: "GET",
      path: "/locations/1/trucks",
      status: 200,
      tenant_id: 1,
    });
    expect(here?.[0]).not.toHaveProperty("token_name");
  });
});

describe("a readable log", () => {
  const read = async (record: object, columns = 80) => {
    let shown = "";
    const log = {
      write(text: string) {
        shown += text;
      },
    };
    const paint = await loadPaint(false);
    const view = { columns: () => columns, isUtc: true, paint, quietHook: () => 1 };
    toReadableLog(log, view).write(
      `${JSON.stringify({ level: "info", time: "2026-07-25T17:20:00.000Z", ...record })}\n`,
    );
    return shown;
  };
  const attempt = {
    ...{
      msg: "delivery",
      level: "warn",
      tenant_id: 1,
      kind: "Job",
      action: "update",
      record_id: 7,
      attempt: 2,
    },
    ...{ status: -1, message: "connect ECONNREFUSED", state: "pending", duration_ms: 3 },
    next_attempt_on: "2026-07-25T17:21:00.000000",
  };

  it("describes errors, warnings and deliveries", async () => {
    expect(
      await read({ level: "error", msg: "fault", request_id: "a1", err: { message: "no such table" } }),
    ).toBe("17:20:00  error  fault: no such table (request_id: a1)\n");
    expect(await read({ ...attempt, hook_id: 3 })).toBe(
      "17:20:00  webhook 3, Job 7, attempt 2: connect ECONNREFUSED. Next attempt at 17:21:00.\n",
    );
  });

  it("omits attempts to a webhook without a receiver, except answers and the deactivation", async () => {
    expect(await read({ ...attempt, hook_id: 1 })).toBe("");
    expect(await read({ ...attempt, hook_id: 1, status: 500 })).toContain("webhook 1");
    expect(await read({ ...attempt, hook_id: 1, disabled_because: "failing" })).toContain("was deactivated");
  });

  it("fits 60 columns, keeps the end of a path, and prints nothing that controls a terminal", async () => {
    const path = "/locations/1/customers/121/addresses/\u001b[2Jx";
    const line = await read(
      { msg: "request", method: "DELETE", path, status: 500, duration_ms: 12_345, tenant_id: 1 },
      60,
    );
    expect(line.trimEnd().length).toBeLessThanOrEqual(60);
    expect(line).toMatch(/^17:20:00 {2}DELETE {2}….*addresses\/\\x1b\[2Jx +500 +12\.3 s\n$/);
  });
});
