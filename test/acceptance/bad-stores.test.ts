import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestSchema } from "../../src/store/migrations/index.ts";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { runProgram, serveStore } from "../support/program.ts";
import { createOwnerToken } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const good = place("good.db");

beforeAll(async () => {
  const { code } = await runCommand(["init", "--tenant", "Acme", "--location", "Main yard", "--data", good]);
  expect(code).toBe(0);
});

/** One command of each kind. `backup` is the file for the backup commands. */
const commands = (backup: string) => [
  ["jobs", "list"],
  ["trucks", "create", "--location", "1", "--name", "T"],
  ["serve", "--port", "0"],
  ["backup", backup],
  ["restore", backup, "--yes"],
  ["stats"],
  ["migrate"],
  ["hooks", "deliver"],
  ["api", "GET", "/jobs"],
  ["whoami"],
];

const overwrite = (file: string, change: (bytes: Buffer) => void) => {
  const bytes = readFileSync(good);
  change(bytes);
  writeFileSync(file, bytes);
};

const bad: [name: string, make: (file: string) => void, why: RegExp][] = [
  ["text", (file) => writeFileSync(file, "A shopping list. ".repeat(500)), /is not a SQLite file/],
  ["a few bytes", (file) => writeFileSync(file, "no"), /is not a SQLite file/],
  ["HTML", (file) => writeFileSync(file, "<!doctype html><title>502</title>"), /is not a SQLite file/],
  [
    "a zip",
    (file) => writeFileSync(file, Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(9000)])),
    /is not a SQLite file/,
  ],
  ["empty", (file) => writeFileSync(file, ""), /is empty: it does not hold a store/],
  ["a folder", (file) => mkdirSync(file), /is not a regular file, so it cannot hold a store/],
  [
    "a FIFO",
    (file) => void execFileSync("mkfifo", [file]),
    /is not a regular file, so it cannot hold a store/,
  ],
  ["inside of a file", () => undefined, /a part of its path is not a folder/],
  [
    "cut off in the middle",
    (file) => {
      cpSync(good, file);
      truncateSync(file, Math.floor(statSync(file).size / 2));
    },
    /is damaged/,
  ],
  [
    "damaged from its second page on",
    (file) => overwrite(file, (bytes) => bytes.fill(0xee, 4096)),
    /is damaged/,
  ],
  ["without a head", (file) => overwrite(file, (bytes) => bytes.fill(0, 0, 100)), /is not a SQLite file/],
  [
    "another program's",
    (file) => void new SqliteDatabase(file).exec("create table t (a)").close(),
    /not a store of dispatch-cli/,
  ],
];

describe.each(bad)("a store that is %s", (name, make, why) => {
  const file = name === "inside of a file" ? join(good, "x.db") : place(`${name.replaceAll(" ", "-")}.db`);
  const backup = place(`${name.replaceAll(" ", "-")}.gz`);
  beforeAll(() => make(file));

  it("makes every command fail with the reason, and no command changes it", async () => {
    const before = contentOf(file);
    for (const words of commands(backup).filter(([word]) => word !== "restore")) {
      const { code, stdout, stderr } = await runCommand([...words, "--data", file]);
      expect([words[0], code, stdout]).toEqual([words[0], 8, ""]);
      expect(stderr).toMatch(why);
      expect(stderr).toContain(file);
      expect(stderr).not.toMatch(/SQLITE_|Error:|at .*\.ts:/);
    }
    expect(before && contentOf(file)?.equals(before)).not.toBe(false);
    expect(existsSync(backup)).toBe(false);
    if (name !== "inside of a file") expect(besides(file)).toEqual([]);
  });

  it("makes doctor report it as bad", async () => {
    const { code, stdout, stderr } = await runCommand(["doctor", "--data", file]);
    expect([code, stderr]).toEqual([9, ""]);
    expect(stdout).toMatch(/^BAD {3}store/);
    expect(stdout).toMatch(why);
  });
});

/** The bytes of a regular file, or undefined. */
function contentOf(file: string): Buffer | undefined {
  if (!existsSync(file) || !statSync(file).isFile()) return undefined;
  return readFileSync(file);
}

const besides = (file: string) =>
  readdirSync(dirname(file)).filter((name) => join(dirname(file), name).startsWith(`${file}-`));

it("refuses a store of a newer program, except for status and backup", async () => {
  const [file, backup] = [place("newer.db"), place("newer.gz")];
  cpSync(good, file);
  const connection = new SqliteDatabase(file);
  connection.pragma(`user_version = ${newestSchema + 1}`);
  connection.close();
  const codes: Record<string, number> = {};
  for (const words of [...commands(backup), ["migrate", "--status"], ["doctor"]]) {
    const { code, stderr } = await runCommand([...words, "--data", file]);
    codes[words.join(" ").replace(backup, "…")] = code;
    if (code === 8) expect(stderr).toContain("Use a newer dispatch-cli.");
  }
  expect(codes).toEqual({
    "jobs list": 8,
    "trucks create --location 1 --name T": 8,
    "serve --port 0": 8,
    "backup …": 0,
    // A backup that this program cannot use fails in a restore too.
    "restore … --yes": 2,
    stats: 8,
    migrate: 0,
    "hooks deliver": 8,
    "api GET /jobs": 8,
    whoami: 8,
    "migrate --status": 0,
    doctor: 9,
  });
});

it("reports a store that another process keeps locked, after waiting for it", async () => {
  const file = place("locked.db");
  cpSync(good, file);
  const other = new SqliteDatabase(file);
  other.pragma("locking_mode = exclusive");
  other.exec("insert into meta values ('held', '1')");
  const kinds = [
    ["jobs", "list"],
    ["trucks", "create", "--location", "1", "--name", "T"],
    ["backup", place("l.gz")],
    ["doctor"],
  ];
  const results = await Promise.all(kinds.map((words) => runProgram([...words, "--data", file])));
  other.close();
  expect(results.map(({ code }) => code)).toEqual([8, 8, 8, 9]);
  for (const { stdout, stderr } of results) expect(stdout + stderr).toContain("is locked by another process");
  expect((await runCommand(["jobs", "list", "--data", file])).code).toBe(0);
});

describe("a store that the user may not open", () => {
  const program = fileURLToPath(new URL("../../bin/dispatch-cli.js", import.meta.url));
  // Root may open everything, so the program runs as another user.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const runAsOther = (words: readonly string[]) =>
    new Promise<CommandResult>((resolve) => {
      const env = { PATH: process.env.PATH ?? "", HOME: folder };
      const child = spawn(process.execPath, [program, ...words], { ...other, cwd: "/", env });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      child.on("error", () => resolve({ code: -1, stdout, stderr }));
      child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
  afterAll(() => chmodSync(place("read-only"), 0o755));

  it("reports a file that cannot be read and a folder that cannot be searched", async ({ skip }) => {
    chmodSync(folder, 0o755);
    if ((await runAsOther(["--version"])).code !== 0) skip("The build cannot be read by another user.");
    mkdirSync(place("read-only"));
    mkdirSync(place("closed"), { mode: 0o700 });
    const files = {
      secret: place("read-only/secret.db"),
      inside: place("closed/inside.db"),
    };
    for (const file of Object.values(files)) cpSync(good, file);
    chmodSync(files.secret, 0o000);
    chmodSync(place("read-only"), 0o555);
    if (process.getuid?.() !== 0) chmodSync(place("closed"), 0o000);
    const whys = { secret: /cannot be opened/, inside: /the system does not allow it/ };
    for (const [name, file] of Object.entries(files)) {
      const { code, stderr } = await runAsOther(["jobs", "list", "--data", file]);
      expect([name, code, stderr]).toEqual([name, 8, expect.stringMatching(whys[name as keyof typeof whys])]);
      expect([name, (await runAsOther(["doctor", "--data", file])).code]).toEqual([name, 9]);
    }
    chmodSync(place("closed"), 0o700);
  });
});

describe("a disk that is full", () => {
  const disk = place("disk");
  let isMounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", disk], { stdio: "ignore" });
      isMounted = true;
    } catch {
      // Only root may mount.
    }
  });
  afterAll(() => {
    if (isMounted) execFileSync("umount", ["-l", disk]);
  });
  const fill = (leaveBytes: number) => {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
  };
  const empty = () => execFileSync("rm", ["-f", join(disk, "filler")]);

  it("makes a command that writes fail, and loses nothing", async ({ skip }) => {
    if (!isMounted) skip("No file system can be mounted.");
    const file = join(disk, "store.db");
    cpSync(good, file);
    fill(65_536);
    const create = ["trucks", "create", "--location", "1", "--name", "T", "--data", file];
    const results: CommandResult[] = [];
    for (let count = 0; count < 3; count += 1) results.push(await runProgram(create));
    const stored = results.filter(({ code }) => code === 0).length;
    for (const { code, stderr } of results.filter((result) => result.code !== 0))
      expect([code, stderr]).toEqual([8, expect.stringContaining("isk")]);
    expect(stored).toBeLessThan(3);
    empty();
    expect((await runProgram(create)).code).toBe(0);
    const list = await runProgram(["trucks", "list", "--location", "1", "-o", "json", "--data", file]);
    expect(JSON.parse(list.stdout).total_count).toBe(stored + 1);
    expect((await runProgram(["doctor", "--full", "--data", file])).stdout).toMatch(/ok {4}integrity/);
  });

  it("makes a server refuse some of 32 writers at once, and keeps every write that it acknowledged", async ({
    skip,
  }) => {
    if (!isMounted) skip("No file system can be mounted.");
    const file = join(disk, "served.db");
    cpSync(good, file);
    const owner = await createOwnerToken(file);
    const server = await serveStore(file);
    const headers = { ...owner.headers, "content-type": "application/json" };
    const create = async (index: number) => {
      const body = JSON.stringify({ name: `T${index}`, notes: "x".repeat(1500) });
      const answer = await fetch(`${server.url}/locations/1/trucks`, { method: "POST", headers, body });
      return { status: answer.status, id: ((await answer.json()) as { id?: number }).id };
    };
    const createAll = () => Promise.all(Array.from({ length: 32 }, (_, index) => create(index)));
    fill(300_000);
    const answers = [...(await createAll()), ...(await createAll()), ...(await createAll())];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    const ready = async () => {
      const answer = await fetch(`${server.url}/readyz`);
      return { status: answer.status, body: (await answer.json()) as { check?: string } };
    };
    expect(await ready()).toMatchObject({ status: 503, body: { check: "write", status: "not ready" } });
    empty();
    await expect.poll(async () => (await ready()).status).toBe(200);
    answers.push(...(await createAll()));
    expect(answers.slice(-32).map(({ status }) => status)).toEqual(Array(32).fill(200));
    await server.end();
    const connection = new SqliteDatabase(file);
    const ids = (sql: string) => connection.prepare(sql).pluck().all();
    const told = answers.flatMap(({ id, status }) => (status === 200 && id !== undefined ? [id] : []));
    expect(ids("select id from trucks order by id")).toEqual(told.sort((a, b) => a - b));
    expect(ids("select record_id from events where kind = 'Truck' order by id")).toEqual(told);
    expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
    connection.close();
  });

  it("makes backup and restore fail, and they leave nothing behind", async ({ skip }) => {
    if (!isMounted) skip("No file system can be mounted.");
    const backup = place("small.gz");
    expect((await runProgram(["backup", backup, "--data", good])).code).toBe(0);
    const there = readdirSync(disk).filter((name) => name !== "filler");
    // At first there is no room for the copy, then room for the copy but not for the compressed file.
    for (const left of [100_000, statSync(good).size + 8192]) {
      empty();
      fill(left);
      const { code, stderr } = await runProgram(["backup", join(disk, "b.gz"), "--data", good]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/has too little room: .+ free\.|b\.gz cannot be written: the disk is full\./),
      ]);
    }
    empty();
    fill(100_000);
    const restored = await runProgram(["restore", backup, "--data", join(disk, "new.db")]);
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining("has too little room")]);
    empty();
    expect(readdirSync(disk)).toEqual(there);
  });
});
