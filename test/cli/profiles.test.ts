import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { runProgram } from "../support/program.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const tokenFile = join(folder, "token.txt");
let config: string;
let url: string;
let token: string;
let end: () => Promise<void>;

beforeAll(async () => {
  await runCommand(["init", "--data", data, "--tenant", "Acme"]);
  const made = await runCommand(["tokens", "create", "--username", "owner", "--data", data, "-o", "json"]);
  token = (JSON.parse(made.stdout) as { token: string }).token;
  writeFileSync(tokenFile, `${token}\n`);
  const served = await serveStore(data, token);
  url = served.env.DISPATCH_URL;
  end = served.end;
});
afterAll(() => end());
beforeEach(() => {
  config = join(mkdtempSync(join(folder, "config-")), "dispatch-cli");
});

const run = (words: readonly string[], env: Record<string, string> = {}, input = "") =>
  runCommand(words, { env: { DISPATCH_CONFIG: config, ...env }, input });

async function ok(words: readonly string[], env: Record<string, string> = {}, input = "") {
  const { code, stdout, stderr } = await run(words, env, input);
  expect([words.join(" "), code, stderr]).toEqual([words.join(" "), 0, expect.any(String)]);
  return stdout;
}

const whoami = async (words: readonly string[], env: Record<string, string> = {}) =>
  JSON.parse(await ok(["whoami", ...words, "-o", "json"], env)) as Record<string, unknown>;

const addServer = (name = "web", ...words: string[]) =>
  ok(["profiles", "add", name, "--url", url, "--token-file", tokenFile, ...words]);

const profileFileOf = (name: string) => join(config, "profiles", `${name}.json`);

describe("a profile", () => {
  it("names a server with its token, or a store, for every command", async () => {
    await addServer();
    await ok(["profiles", "add", "own", "--data", data, "--tenant", "1", "--as", "owner"]);
    expect(await whoami(["--profile", "web"])).toMatchObject({
      profile: "web",
      profile_source: "--profile",
      target: url,
      target_source: "profile web",
      token_id: 1,
      user: "owner",
      user_source: "profile web",
    });
    expect(await whoami([], { DISPATCH_PROFILE: "own" })).toMatchObject({
      profile_source: "DISPATCH_PROFILE",
      target: data,
      tenant_source: "profile own",
      user_source: "profile own",
    });
    for (const words of ["locations list", "api GET /locations"])
      expect(await ok([...words.split(" "), "--profile", "web"])).toContain("Main yard");
    expect(await ok(["migrate", "--status", "--profile", "own"])).toContain("up to date");
  });

  it("sets the output format, unless an option or the environment does", async () => {
    await ok(["profiles", "add", "own", "--data", data, "-o", "json", "--api-version", "2019/02/08"]);
    const list = ["locations", "list", "--profile", "own"];
    expect(JSON.parse(await ok(list))).toMatchObject({ total_count: 1 });
    expect(await ok([...list, "-o", "csv"])).toMatch(/^address\./);
    expect(await ok(list, { DISPATCH_OUTPUT: "csv" })).toMatch(/^address\./);
    expect(await whoami(["--profile", "own"], { DISPATCH_API_VERSION: "2021/04/07" })).toMatchObject({
      api_version: "2021/04/07",
      api_version_source: "DISPATCH_API_VERSION",
      output_source: "--output",
    });
    expect(await whoami(["--profile", "own"])).toMatchObject({ api_version_source: "profile own" });
  });

  it("is overridden by options and environment, value by value", async () => {
    await ok(["profiles", "add", "own", "--data", data, "--tenant", "7", "--as", "nobody"]);
    const env = { DISPATCH_TENANT: "1", DISPATCH_PROFILE: "own" };
    expect(await whoami(["--as", "owner"], env)).toMatchObject({
      target_source: "profile own",
      tenant_source: "DISPATCH_TENANT",
      user_source: "--as",
    });
  });

  it("applies without --profile while it is the default", async () => {
    await ok(["profiles", "add", "own", "--data", data]);
    await ok(["profiles", "use", "own"]);
    expect(await whoami([])).toMatchObject({ profile: "own", profile_source: "profiles use" });
    await ok(["profiles", "use", "--none"]);
    expect(await whoami(["--data", data])).toMatchObject({ profile: null, profile_source: "default" });
    await ok(["profiles", "use", "own"]);
    const { code, stderr } = await run(["profiles", "remove", "own"]);
    expect([code, stderr]).toEqual([0, "Removed profile own. No profile is the default now.\n"]);
    expect(await whoami(["--data", data])).toMatchObject({ profile: null });
  });
});

describe("the token of a profile", () => {
  const elsewhere = "http://127.0.0.1:1";

  it.each([
    ["--url", () => ["--url", elsewhere], {}],
    ["DISPATCH_URL", () => [], { DISPATCH_URL: elsewhere }],
  ])("is sent to no other server, which %s names", async (_source, words, env) => {
    await addServer();
    const { code, stderr } = await run(["whoami", "--profile", "web", ...words()], env);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`The token of profile web is for ${url} only.`),
    ]);
  });

  it("is reported if a variable overrides only a part of a named profile", async () => {
    await addServer();
    const list = ["locations", "list", "--profile", "web"];
    const told = "DISPATCH_DATA overrides the target of profile web. Unset it to use the profile.";
    const other = await run(list, { DISPATCH_DATA: data });
    expect([other.code, other.stderr.split("\n")[0]]).toEqual([0, told]);
    expect((await run([...list, "-o", "json"], { DISPATCH_DATA: data })).stderr).toBe("");
    expect((await run(list)).stderr).not.toContain("overrides");
    expect((await run([...list, "--data", data])).stderr).not.toContain("overrides");
  });

  it("is sent to its own server, however the server is named", async () => {
    await addServer();
    expect(await whoami(["--profile", "web", "--url", `${url}/`])).toMatchObject({ user: "owner" });
  });

  it("is not used for a store: with --data, the tenant and user of the profile are ignored", async () => {
    await addServer("web", "--tenant", "1");
    expect(await whoami(["--profile", "web", "--data", data])).toMatchObject({
      target_source: "--data",
      tenant_source: "default",
      user_source: "default",
    });
  });

  it("is overridden by --token-file and DISPATCH_TOKEN", async () => {
    await addServer();
    for (const [words, env] of [
      [["--token-file", "-"], {}],
      [[], { DISPATCH_TOKEN: "another" }],
    ] as const) {
      const { code } = await run(["whoami", "--profile", "web", ...words], env, "another");
      expect(code).toBe(3);
    }
  });

  it("is never shown", async () => {
    await ok(["profiles", "add", "web", "--url", url, "--token-file", "-"], {}, token);
    await ok(["profiles", "use", "web"]);
    const shown = [
      ...(await Promise.all(["table", "json"].map((form) => ok(["profiles", "show", "web", "-o", form])))),
      ...(await Promise.all(
        ["table", "json", "csv", "yaml"].map((form) => ok(["profiles", "list", "-o", form])),
      )),
      await ok(["profiles", "add", "web", "--replace", "--url", url, "--token-file", tokenFile]),
      await ok(["whoami"]),
    ];
    expect(shown.join("\n")).not.toContain(token.slice(-20));
    expect(shown[0]).toMatch(/^token +kept$/m);
  });

  it("is stored with its expiry if the server reports one", async () => {
    const words = ["tokens", "create", "--username", "owner", "--data", data, "-o", "json"];
    const made = JSON.parse(await ok([...words, "--expires-on", "2099-01-01"])) as { token: string };
    await ok(["profiles", "add", "web", "--url", url, "--token-file", "-"], {}, made.token);
    expect(await ok(["profiles", "show", "web"])).toMatch(/^token_expires_on +2099-01-01T/m);
  });

  it("is not stored if the server refuses it, and is stored if the server is unreachable", async () => {
    const refused = await run(
      ["profiles", "add", "web", "--url", url, "--token-file", "-"],
      {},
      "dispatch.1.x",
    );
    expect([refused.code, existsSync(profileFileOf("web"))]).toEqual([3, false]);
    const words = ["profiles", "add", "web", "--url", elsewhere, "--token-file", "-"];
    expect(await ok(words, {}, "dispatch.1.x")).toContain("was not checked");
  });

  it.skipIf(platform() === "win32")("is not used if other users can read its file", async () => {
    await addServer();
    chmodSync(profileFileOf("web"), 0o640);
    const { code, stderr } = await run(["whoami", "--profile", "web"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`chmod 600 ${profileFileOf("web")}`)]);
    expect(await whoami(["--profile", "web"], { DISPATCH_TOKEN: token })).toMatchObject({ user: "owner" });
  });
});

describe("the file of a profile", () => {
  it.skipIf(platform() === "win32")("is readable by its owner only, and so is its folder", async () => {
    await addServer();
    await ok(["profiles", "use", "web"]);
    const modes = [config, join(config, "profiles"), profileFileOf("web")].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  it.each(["", "{", "[]", '{"url":7}', "\0"])(
    "that holds %j is reported as damaged, and can be replaced or removed",
    async (text) => {
      await ok(["profiles", "add", "own", "--data", data]);
      writeFileSync(profileFileOf("own"), text);
      const { code, stderr } = await run(["whoami", "--profile", "own"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("own.json is damaged")]);
      await ok(["profiles", "add", "own", "--data", data, "--replace"]);
      expect(await whoami(["--profile", "own"])).toMatchObject({ target: data });
      writeFileSync(profileFileOf("own"), text);
      await ok(["profiles", "remove", "own"]);
      expect(await ok(["profiles", "list", "-o", "json"])).toBe("[]\n");
    },
  );

  it("loses nothing when several processes add profiles at once", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `p${index}`);
    const results = await Promise.all(
      names.map((name) =>
        runProgram(["profiles", "add", name, "--data", `${name}.db`], { env: { DISPATCH_CONFIG: config } }),
      ),
    );
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0));
    const kept = JSON.parse(await ok(["profiles", "list", "-o", "json"])) as { name: string; data: string }[];
    expect(kept.map(({ name, data: store }) => [name, store.endsWith(`/${name}.db`)])).toEqual(
      names.map((name) => [name, true]),
    );
    expect(readdirSync(join(config, "profiles")).length).toBe(names.length);
  });

  it("stores the password of a database, and no output shows it", async () => {
    const shown = await ok(["profiles", "add", "pg", "--data", "postgres://me:s3cret@db.example/x"]);
    expect(shown + (await ok(["profiles", "list"]))).not.toContain("s3cret");
    expect(readFileSync(profileFileOf("pg"), "utf8")).toContain("s3cret");
  });
});

describe("an invalid profile", () => {
  it("is reported with the nearest existing name", async () => {
    await ok(["profiles", "add", "staging", "--data", data]);
    for (const words of [
      "whoami --profile stagin",
      "profiles show stagin",
      "profiles use stagin",
      "profiles remove stagin",
    ]) {
      const { code, stderr } = await run(words.split(" "));
      expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining("Did you mean staging?")]);
    }
  });

  it.each(["../own", "a/b", "", ".", "-", "a b", "ä\u0301", "x".repeat(65), "__proto__", "a\nb"])(
    "is refused by its name %j",
    async (name) => {
      const { code, stdout } = await run(["profiles", "add", "--data", data, "--", name]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(existsSync(config)).toBe(false);
    },
  );

  it.each([
    ["", "Name a server with --url, or a store with --data"],
    ["--token-file t", "--url"],
    ["--url http://x --as bob", "--as"],
    ["--url http://x --data y", "not both"],
    ["--url ftp://x", "--url must"],
    ["--data x --api-version 2020/01/01", "--api-version must"],
    ["--data x -o xml", "--output must"],
  ])("is refused with `%s`", async (words, reason) => {
    const { code, stderr } = await run(["profiles", "add", "own", ...words.split(" ").filter(Boolean)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(existsSync(config)).toBe(false);
  });

  it("does not replace another of its name without --replace", async () => {
    await ok(["profiles", "add", "own", "--data", data]);
    expect((await run(["profiles", "add", "own", "--data", "other.db"])).code).toBe(6);
    await ok(["profiles", "add", "own", "--url", url, "--replace"]);
    expect(JSON.parse(await ok(["profiles", "show", "own", "-o", "json"]))).toMatchObject({
      data: null,
      url,
    });
  });
});
