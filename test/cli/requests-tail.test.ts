import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUpTenant } from "../../src/core/setup.ts";
import { makeOwnerToken } from "../../src/http/local-client.ts";
import { openSandbox } from "../../src/http/open-sandbox.ts";
import { startServer } from "../../src/http/serve.ts";
import { startTestServer, type TestServer } from "../../src/library/index.ts";
import { type CommandSetting, runCommand } from "../support/command-line.ts";
import { toEnv, toSender } from "../support/sandbox-client.ts";

let server: TestServer;
let send: ReturnType<typeof toSender>;

beforeAll(async () => {
  server = await startTestServer();
  send = toSender(server);
  await send("GET", "/jobs?search=s3cret");
  await send("GET", "/locations/1/jobs/999999");
  await send("POST", `/locations/${server.locationId}/trucks`, { name: "s3cret" });
});

afterAll(() => server.close());

const tail = (words: readonly string[], setting: CommandSetting = {}) =>
  runCommand(["requests", "tail", ...words], { ...setting, env: toEnv(server) });

/** Returns the methods, paths, and statuses in the output. */
async function told(...words: string[]): Promise<string[]> {
  const { code, stderr, stdout } = await tail([...words, "--no-follow", "-o", "ndjson"]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "" && !line.includes("/tenants"))
    .map((line) => JSON.parse(line) as { method: string; path: string; status: number })
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
}

describe("requests tail", () => {
  it("shows answered requests by its filters, without bodies and its own requests", async () => {
    const trucks = `POST /locations/${server.locationId}/trucks 200`;
    expect(await told()).toEqual(["GET /jobs 400", "GET /locations/1/jobs/999999 404", trucks]);
    expect(await told("--status", "4xx", "--path", "9999")).toEqual(["GET /locations/1/jobs/999999 404"]);
    expect(await told("--method", "post")).toEqual([trucks]);
    expect(await told("--token-id", "99")).toEqual([]);
    // The name is part of one request and of one answer.
    expect(await told("--text", "S3CRET")).toEqual(["GET /jobs 400", trucks]);
    const { stdout } = await tail(["--no-follow", "-o", "ndjson"]);
    expect(stdout.replace('"query":"search=s3cret"', "")).not.toContain("s3cret");
  });

  it("fits a line of a terminal, with the version and the token", async () => {
    const { stdout } = await tail(["--no-follow", "--status", "404"], { columns: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors
    const line = stdout.replaceAll(/\u001b\[[\d;]*m/g, "").trimEnd();
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d {2}GET {5}…?[\w/]*\/jobs\/999999 +404 +[\d.]+ ms {2}2023\/04\/19 · /,
    );
    expect(line.length).toBeLessThanOrEqual(80);
  });

  it("refuses unknown filters and formats", async () => {
    for (const words of [
      ["--status", "9"],
      ["--method", "fetch"],
      ["-o", "csv"],
      ["-o", "json"],
    ])
      expect(await tail([...words, "--no-follow"])).toMatchObject({ code: 2, stdout: "" });
  });

  it("follows until it is interrupted, waits for a server that is down, and hides other tenants", async () => {
    const { service, ...own } = await openSandbox({ demo: false, tokenName: "own" });
    const uid = service.makeUuid();
    const other = (await setUpTenant(service, "Globex", { username: "other", uid })).scope.tenantId;
    const otherToken = await makeOwnerToken(service, other, "other");
    let running = await startServer(service, { ...serveOptions, port: 0 });
    const served = { ...own, url: running.url };
    const sendOwn = toSender(served);
    const [first, away, second, over] = [createWait(), createWait(), createWait(), createWait()];
    const tailing = runCommand(["requests", "tail", "-o", "ndjson", "--path", "/jobs"], {
      env: toEnv(served),
      interrupted: over.happened,
      onErrorOutput: (text) => void (text.includes("Retrying") && away.happen()),
      onOutput: (text) => (text.split("\n").length > 2 ? second : first).happen(),
    });
    await toSender({ ...served, tenantId: other, token: otherToken })("GET", "/jobs");
    await sendOwn("GET", "/jobs");
    await first.happened;
    await running.close(0);
    const port = Number(new URL(served.url).port);
    await away.happened;
    running = await startServer(service, { ...serveOptions, port });
    await sendOwn("GET", "/locations/1/jobs");
    await second.happened;
    over.happen();
    const { code, stderr, stdout } = await tailing;
    await running.close(0);
    await service.store.close();
    expect(code).toBe(130);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).path),
    ).toEqual(["/jobs", "/locations/1/jobs"]);
    expect(stderr).toMatch(/cannot be reached.* Retrying\.\nThe server is back\.\n$/);
  });
});

const serveOptions = {
  delivers: false,
  host: "127.0.0.1",
  log: { write: () => undefined },
  logLevel: "silent",
};

function createWait() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen: () => happen(), happened };
}
