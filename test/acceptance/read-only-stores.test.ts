import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, noConfig, runCommand } from "../support/command-line.ts";
import { serveStore, toExit } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const made = place("made");
/** A folder that the program may write: for backups, copies, and temporary files. */
const free = place("free");

/** Stores in three states: closed cleanly, left by a killed program, and left without the log's index. */
const stores = {
  closed: "closed.db",
  killed: "killed.db",
  "killed and without its index": "no-index.db",
};

beforeAll(async () => {
  chmodSync(folder, 0o755);
  mkdirSync(made);
  mkdirSync(free, { mode: 0o777 });
  chmodSync(free, 0o777);
  const data = join(made, stores.closed);
  const init = await runCommand(["init", "--tenant", "Acme", "--location", "Main yard", "--data", data]);
  expect(init.code).toBe(0);
  await addTruck(data, "In the file");
  for (const name of [stores.killed, stores["killed and without its index"]]) {
    const file = join(made, name);
    copyFileSync(data, file);
    // Copy the files as a killed program leaves them: the last change is only in the log.
    const held = new SqliteDatabase(file);
    held.prepare("select count(*) from trucks").get();
    await addTruck(file, "In the log");
    for (const end of ["", "-wal", "-shm"]) copyFileSync(file + end, join(made, `left${end}`));
    held.close();
    for (const end of ["", "-wal", "-shm"]) copyFileSync(join(made, `left${end}`), file + end);
    if (name === "no-index.db") rmSync(`${file}-shm`);
  }
  for (const name of readdirSync(made)) chmodSync(join(made, name), 0o444);
});

async function addTruck(data: string, name: string): Promise<void> {
  const { code } = await runCommand(["trucks", "create", "--location", "1", "--name", name, "--data", data]);
  expect(code).toBe(0);
}

type Run = (words: readonly string[]) => Promise<CommandResult>;

/** The tests of a read-only place; `at` returns the path of a store there. */
function declareTests(run: Run, at: (name: string) => string, isThere: () => boolean): void {
  it.each(Object.entries(stores))("is read in full when it is %s", async (kind, name) => {
    if (!isThere()) return;
    const data = at(name);
    const list = await run(["trucks", "list", "--location", "1", "-o", "json", "--data", data]);
    expect([list.code, list.stderr]).toEqual([0, ""]);
    const names = (JSON.parse(list.stdout).results as { name: string }[]).map((truck) => truck.name);
    expect(names).toEqual(kind === "closed" ? ["In the file"] : ["In the file", "In the log"]);
    expect((await run(["stats", "-o", "json", "--data", data])).code).toBe(0);
    const doctor = await run(["doctor", "--full", "--data", data]);
    expect(doctor.stdout).toMatch(/ok {4}integrity/);
    expect(doctor.stdout).not.toMatch(/^BAD/m);
    const [backup, copy] = [join(free, `${name}.gz`), join(free, `${name}.copy.db`)];
    expect((await run(["backup", backup, "--data", data])).code).toBe(0);
    expect((await run(["store", "copy", "--from", data, "--to", copy])).code).toBe(0);
    for (const words of [
      ["restore", backup, "--data", join(free, `${name}.restored.db`)],
      ["trucks", "list", "--location", "1", "--data", copy],
    ]) {
      expect((await run(words)).code).toBe(0);
    }
    expect(readdirSync(free).filter((left) => left.startsWith("dispatch-read-"))).toEqual([]);
  });

  it("reports that it is read-only to a command that writes", async () => {
    if (!isThere()) return;
    for (const name of Object.values(stores)) {
      const create = ["trucks", "create", "--location", "1", "--name", "T", "--data", at(name)];
      for (const words of [create, ["migrate", "--repair", "--data", at(name)]]) {
        const { code, stderr } = await run(words);
        expect([code, stderr]).toEqual([8, expect.stringContaining("is read-only")]);
      }
    }
  });
}

describe("a store on a read-only file system", () => {
  const mounted = place("mounted");
  let isMounted = false;
  beforeAll(() => {
    process.env.TMPDIR = free;
    mkdirSync(mounted);
    try {
      execFileSync("mount", ["--bind", made, mounted], { stdio: "ignore" });
      isMounted = true;
      execFileSync("mount", ["-o", "remount,ro,bind", mounted], { stdio: "ignore" });
    } catch {
      // Only root may mount.
    }
  });
  const { TMPDIR: temporary } = process.env;
  afterAll(() => {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    if (isMounted) execFileSync("umount", ["-l", mounted]);
  });
  const run: Run = (words) => runCommand([...words]);
  declareTests(
    run,
    (name) => join(mounted, name),
    () => isMounted,
  );

  it("is served to readers, and the server is not ready", async () => {
    if (!isMounted) return;
    const server = await serveStore(join(mounted, stores.closed), ["--no-deliver", "--log-level", "silent"]);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { check: "write", reason: expect.stringContaining("read-only"), status: "not ready" },
    ]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.end();
  });
});

describe("a store in a file and a folder that the user may only read", () => {
  const program = fileURLToPath(new URL("../../bin/dispatch-cli.js", import.meta.url));
  // Root may write everywhere, so the program runs as another user.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  let isPossible = false;
  const run: Run = async (words) => {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: free,
      TMPDIR: free,
      DISPATCH_CONFIG: noConfig,
      NODE_DISABLE_COMPILE_CACHE: "1",
    };
    const child = spawn(process.execPath, [program, ...words], { ...other, cwd: "/", env });
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      toExit(child).catch(() => -1),
    ]);
    return { code, stdout, stderr };
  };
  beforeAll(async () => {
    for (const name of readdirSync(free)) rmSync(join(free, name), { recursive: true });
    chmodSync(made, 0o555);
    isPossible = (await run(["--version"])).code === 0;
  });
  afterAll(() => chmodSync(made, 0o755));
  declareTests(
    run,
    (name) => join(made, name),
    () => isPossible,
  );
});
