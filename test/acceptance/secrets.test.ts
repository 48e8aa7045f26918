import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { runProgram, serveStore } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const tests = useTempFolder();

/** Creates a store with two webhooks, one of them with two valid secrets, and a key file. Returns all secrets. */
async function makeStore() {
  const folder = mkdtempSync(join(tests, "store-"));
  const data = join(folder, "store.db");
  const keyFile = writeKey(join(folder, "secret.key"));
  const run = (line: string, env: Record<string, string> = {}) => {
    const runner = line.startsWith("serve") ? runProgram : runCommand;
    return runner(line.split(" "), { env: { DISPATCH_DATA: data, ...env } });
  };
  await run("init --tenant Acme --location Yard");
  const secrets: string[] = [];
  for (const words of [
    "hooks create --events Truck --callback-url https://example.com/one -o json",
    "hooks create --events Truck --callback-url https://example.com/two -o json",
    "hooks rotate-secret 2 -o json",
  ]) {
    const { code, stdout, stderr } = await run(words);
    expect([code, stderr]).toEqual([0, ""]);
    secrets.push(JSON.parse(stdout).secret);
  }
  return { data, folder, keyFile, run, secrets };
}

function writeKey(file: string, mode = 0o600): string {
  writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode });
  chmodSync(file, mode);
  return file;
}

/** Returns the texts found in the store's file or in SQLite's files beside it. */
function findIn(data: string, texts: readonly string[]): string[] {
  const files = ["", "-wal", "-shm"].map((end) => data + end).filter((file) => existsSync(file));
  const bytes = files.map((file) => readFileSync(file));
  return texts.filter((text) => bytes.some((content) => content.includes(text)));
}

it("encrypts the secrets of a served store and leaves none of them in its file", async () => {
  const { data, keyFile, run, secrets } = await makeStore();
  expect(findIn(data, secrets)).toEqual(secrets);
  expect((await run("secrets status")).stdout).toContain("3 in plain text.");
  const server = await serveStore(data, ["--secret-key-file", keyFile]);
  try {
    const encrypted = await run(`secrets encrypt --secret-key-file ${keyFile}`);
    expect(encrypted.stdout).toContain("3 secrets of");
    expect(encrypted.code).toBe(0);
    expect(encrypted.stderr).toContain("Earlier backups still hold the old secrets");
    expect(findIn(data, secrets)).toEqual([]);
    const { stdout: token } = await run("tokens create --username owner -o json");
    const headers = { authorization: `Bearer ${JSON.parse(token).token}`, "x-tenant-id": "1" };
    const answer = await fetch(`${server.url}/hooks/2`, { headers });
    expect(((await answer.json()) as { secret: string }).secret).toBe(secrets[2]);
    expect(findIn(data, secrets)).toEqual([]);
  } finally {
    expect(await server.end()).toBe(0);
  }
  const status = JSON.parse((await run("secrets status -o json")).stdout);
  expect(status).toMatchObject({ given_keys: [], plain: 0, encrypted: { [status.key]: 3 } });
});

it("shows secrets only with the key; a backup needs no key, and holds what the store holds", async () => {
  const { folder, keyFile, run, secrets } = await makeStore();
  await run(`secrets encrypt --secret-key-file ${keyFile}`);
  const key = readFileSync(keyFile, "utf8");
  const secretOf = async (line: string, env = {}) => JSON.parse((await run(line, env)).stdout).secret;
  expect(await secretOf("hooks get 2 -o json")).toBeNull();
  expect(await secretOf("hooks get 2 -o json", { DISPATCH_SECRET_KEY: key })).toBe(secrets[2]);
  const backup = join(folder, "backup.gz");
  const restored = join(folder, "restored.db");
  expect((await run(`backup ${backup}`)).code).toBe(0);
  expect((await run(`restore ${backup} --data ${restored}`)).code).toBe(0);
  expect(findIn(restored, secrets)).toEqual([]);
  expect(await secretOf(`hooks get 2 -o json --data ${restored} --secret-key-file ${keyFile}`)).toBe(
    secrets[2],
  );
  const ping = await run("hooks ping 2");
  expect([ping.code, ping.stderr]).toEqual([8, expect.stringContaining("--secret-key-file")]);
});

it("changes the key, and decrypts after --yes", async () => {
  const { data, folder, keyFile, run, secrets } = await makeStore();
  await run(`secrets encrypt --secret-key-file ${keyFile}`);
  const newFile = writeKey(join(folder, "new.key"));
  const rotate = (present: string) =>
    run(`secrets rotate --secret-key-file ${present} --new-key-file ${newFile}`);
  expect((await rotate(keyFile)).stdout).toContain("3 secrets of");
  expect((await rotate(keyFile)).stdout).toContain("0 secrets of");
  expect((await run(`hooks get 1 --secret-key-file ${keyFile}`)).code).toBe(2);
  const shown = await run(`hooks get 1 -o json --secret-key-file ${newFile}`);
  expect(JSON.parse(shown.stdout).secret).toBe(secrets[0]);
  expect((await run(`secrets decrypt --secret-key-file ${newFile}`)).stderr).toContain(
    "Repeat the command with --yes",
  );
  expect(findIn(data, secrets)).toEqual([]);
  expect((await run(`secrets decrypt --yes --secret-key-file ${newFile}`)).code).toBe(0);
  expect((await run("secrets status")).stdout).toContain("3 in plain text.");
  expect(JSON.parse((await run("hooks get 1 -o json")).stdout).secret).toBe(secrets[0]);
});

it("refuses invalid keys, never prints one, and changes nothing", async () => {
  const { data, folder, keyFile, run } = await makeStore();
  await run(`secrets encrypt --secret-key-file ${keyFile}`);
  const before = readFileSync(data);
  const open = writeKey(join(folder, "open.key"), 0o644);
  const strange = writeKey(join(folder, "strange.key"));
  for (const [line, why, env] of [
    [`hooks list --secret-key-file ${open}`, "others can read it", {}],
    [`hooks list --secret-key-file ${strange}`, "encrypted with key", {}],
    [`serve --port 0 --secret-key-file ${strange}`, "encrypted with key", {}],
    [`hooks deliver --secret-key-file ${strange}`, "encrypted with key", {}],
    [`secrets encrypt --secret-key-file ${strange}`, "encrypted with", {}],
    [`secrets decrypt --yes --secret-key-file ${strange}`, "encrypted with", {}],
    [`secrets rotate --secret-key-file ${strange} --new-key-file ${strange}`, "encrypted with", {}],
    ["hooks list --secret-key-file nowhere.key", "there is no such file", {}],
    ["hooks list", "43 characters", { DISPATCH_SECRET_KEY: "x".repeat(43) }],
    ["secrets encrypt", "The key is missing", {}],
    ["secrets status", "works on a store", { DISPATCH_DATA: "", DISPATCH_URL: "http://localhost:1" }],
  ] as const) {
    const { code, stderr } = await run(line, env);
    expect([line, code]).toEqual([line, 2]);
    expect(stderr).toContain(why);
    for (const file of [open, strange]) expect(stderr).not.toContain(readFileSync(file, "utf8").trim());
    expect(stderr).not.toContain("x".repeat(43));
  }
  expect(readFileSync(data).equals(before)).toBe(true);
});

it("doctor notes plain text and reports a wrong key as bad", async () => {
  const { folder, keyFile, run } = await makeStore();
  const judge = async (options = "") => {
    const { stdout } = await run(`doctor -o json${options}`);
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; detail: string; status: string }[];
    };
    const found = findings.find(({ check }) => check === "secrets");
    return [found?.status, found?.detail];
  };
  expect(await judge()).toEqual(["ok", expect.stringContaining("3 webhook secrets in plain text")]);
  await run(`secrets encrypt --secret-key-file ${keyFile}`);
  expect(await judge()).toEqual(["ok", expect.stringContaining("which was not given")]);
  expect(await judge(` --secret-key-file ${keyFile}`)).toEqual([
    "ok",
    expect.stringContaining("the given key"),
  ]);
  const strange = writeKey(join(folder, "strange.key"));
  expect(await judge(` --secret-key-file ${strange}`)).toEqual([
    "bad",
    expect.stringContaining("the given key is"),
  ]);
});

it("logs once, as JSON, that deliveries wait if a server or `hooks deliver` lacks the key", async () => {
  const { data, keyFile, run } = await makeStore();
  await run(`secrets encrypt --secret-key-file ${keyFile}`);
  expect((await run("hooks deliver")).stderr).toContain("deliveries that need it wait");
  expect((await run(`hooks deliver --secret-key-file ${keyFile}`)).stderr).toBe("");
  await run("hooks pause");
  const server = await serveStore(data);
  const log = server.child.stderr ? text(server.child.stderr) : "";
  expect(await server.end()).toBe(0);
  const lines = (await log).trimEnd().split("\n");
  const told = lines.map((line) => JSON.parse(line).msg as string);
  expect(told.filter((msg) => msg.includes("deliveries that need it wait"))).toHaveLength(1);
  expect(told.filter((msg) => msg.includes("have been held since"))).toEqual([
    expect.stringContaining("hooks resume"),
  ]);
});
