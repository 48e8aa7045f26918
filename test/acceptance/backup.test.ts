import { spawnSync } from "node:child_process";
import {
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { until } from "../support/eventually.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { programPath, runProgram, serveStore, startProgram, toEnv, toExit } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const writers = 4;

async function run(...words: string[]) {
  return runWith(runCommand, words);
}

async function runWith(runner: typeof runProgram, words: readonly string[]) {
  const { code, stdout, stderr } = await runner([...words, "-o", "json"]);
  return { code, stderr, value: stdout === "" ? null : JSON.parse(stdout) };
}

async function makeStore(data: string): Promise<void> {
  const made = await run("init", "--tenant", "Acme", "--location", "Main yard", "--data", data);
  expect(made.code).toBe(0);
}

async function headersFor(data: string): Promise<Record<string, string>> {
  const { value } = await run("tokens", "create", "--username", "owner", "--data", data);
  return { authorization: `Bearer ${value.token}`, "content-type": "application/json", "x-tenant-id": "1" };
}

async function createTruck(url: string, headers: Record<string, string>, name: string): Promise<number> {
  const body = JSON.stringify({ name });
  const answer = await fetch(`${url}/locations/1/trucks`, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  return ((await answer.json()) as { id: number }).id;
}

const truckIds = (file: string) =>
  query(file, "select id from trucks order by id").map(({ id }) => Number(id));

function query(file: string, sql: string): { id: number }[] {
  const connection = new SqliteDatabase(file);
  try {
    return connection.prepare(sql).all() as { id: number }[];
  } finally {
    connection.close();
  }
}

/** Lists a file and the files that SQLite or the program create beside it. */
const beside = (name: string) =>
  readdirSync(folder)
    .filter((other) => other.startsWith(name))
    .sort();

/** Runs a shell line that ends at the first failing program. */
function shell(line: string, env: Record<string, string>) {
  const program = `'${process.execPath}' '${programPath}'`;
  const command = `set -o pipefail; ${line.replaceAll("dispatch-cli", program)}`;
  const { status, stderr } = spawnSync("bash", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    env: toEnv(env),
  });
  return { code: status, stderr };
}

/** Returns the files that a process has open. It skips a file that closes during the listing. */
function openFiles(pid = 0): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`, "utf8")];
    } catch {
      return [];
    }
  });
}

describe("a backup", () => {
  it("holds every acknowledged write while four clients write, and passes doctor", async () => {
    const data = place("busy.db");
    await makeStore(data);
    const headers = await headersFor(data);
    const server = await serveStore(data);
    const acknowledged: number[] = [];
    let isOver = false;
    const writing = Array.from({ length: writers }, async () => {
      while (!isOver) acknowledged.push(await createTruck(server.url, headers, "T"));
    });
    for (let round = 1; round <= 2; round += 1) {
      while (acknowledged.length < round * 15) await sleep(10);
      const before = [...acknowledged];
      const file = place(`busy-${round}.gz`);
      const backup = await runWith(runProgram, ["backup", file, "--data", data]);
      expect([backup.code, backup.stderr]).toEqual([0, ""]);
      const restored = place(`restored-${round}.db`);
      expect((await run("restore", file, "--data", restored)).code).toBe(0);
      const kept = new Set(truckIds(restored));
      expect(before.filter((id) => !kept.has(id))).toEqual([]);
      expect(backup.value.rows.trucks).toBe(kept.size);
      const doctor = await run("doctor", "--full", "--data", restored);
      expect([
        doctor.code,
        doctor.value.findings.filter(({ status }: { status: string }) => status === "bad"),
      ]).toEqual([0, []]);
    }
    isOver = true;
    await Promise.all(writing);
    await server.end();
  });

  it("is readable by its owner only, and gunzip turns it into a SQLite file", async () => {
    const [data, file, plain] = [place("plain.db"), place("plain.gz"), place("plain.sqlite")];
    await makeStore(data);
    await run("backup", file, "--data", data);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await pipeline(createReadStream(file), createGunzip(), createWriteStream(plain));
    expect(query(plain, "select id from tenants")).toEqual([{ id: 1 }]);
    expect(beside("plain.gz")).toEqual(["plain.gz"]);
  });

  it("replaces a file only with --yes", async () => {
    const [data, file] = [place("twice.db"), place("twice.gz")];
    await makeStore(data);
    expect((await run("backup", file, "--data", data)).code).toBe(0);
    const first = readFileSync(file);
    expect((await run("backup", file, "--data", data)).code).toBe(2);
    expect(readFileSync(file).equals(first)).toBe(true);
    expect((await run("backup", file, "--data", data, "--yes")).code).toBe(0);
    expect((await run("backup", folder, "--data", data, "--yes")).code).toBe(2);
    expect((await run("backup", place("no/such/folder.gz"), "--data", data)).code).toBe(2);
  });
});

describe("a backup to standard output", () => {
  it("writes only the backup, and a restore reads it from standard input", async () => {
    const data = place("piped.db");
    await makeStore(data);
    const env = { DISPATCH_DATA: data };
    const told = shell(
      "dispatch-cli backup - -o json | dispatch-cli restore - --data piped-restored.db >&2",
      env,
    );
    expect([told.code, told.stderr]).toEqual([
      0,
      expect.stringMatching(/"verified":true[\s\S]*Restored piped-restored/),
    ]);
    expect((await run("doctor", "--full", "--data", place("piped-restored.db"))).code).toBe(0);
    // The restore cannot ask: standard input is the backup.
    const again = shell("dispatch-cli backup - | dispatch-cli restore - --data piped-restored.db", env);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  });

  it("is refused on a terminal", async () => {
    const { code, stderr } = await runCommand(["backup", "-", "--data", place("plain.db")], { columns: 80 });
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be written to a terminal")]);
  });
});

describe("a restore", () => {
  it("is refused while a server has the store open, and the server keeps working", async () => {
    const [data, file] = [place("live.db"), place("live.gz")];
    await makeStore(data);
    const headers = await headersFor(data);
    await run("backup", file, "--data", data);
    const server = await serveStore(data);
    await createTruck(server.url, headers, "before");
    const refused = await runProgram(["restore", file, "--data", data, "--yes"]);
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining("Another program has")]);
    await createTruck(server.url, headers, "after");
    expect(await server.end()).toBe(0);
    expect(truckIds(data)).toHaveLength(2);
    expect((await run("doctor", "--full", "--data", data)).code).toBe(0);
    expect(beside("live.db")).toEqual(["live.db"]);
  });

  it("replaces a store only with --yes, and keeps the old one with its log", async () => {
    const [data, file] = [place("kept.db"), place("kept.gz")];
    await makeStore(data);
    const headers = await headersFor(data);
    await run("backup", file, "--data", data);
    const server = await serveStore(data);
    await createTruck(server.url, headers, "new");
    // The last write is only in the log: a killed server leaves it there.
    const exited = toExit(server.child);
    server.child.kill("SIGKILL");
    await exited;
    expect(existsSync(`${data}-wal`)).toBe(true);
    expect((await run("restore", file, "--data", data)).code).toBe(2);
    const { code, value } = await run("restore", file, "--data", data, "--yes");
    expect(code).toBe(0);
    expect(truckIds(data)).toEqual([]);
    expect(truckIds(value.kept)).toHaveLength(1);
    expect((await run("doctor", "--full", "--data", data)).code).toBe(0);
    expect((await run("trucks", "create", "--location", "1", "--name", "T", "--data", data)).code).toBe(0);
  });

  it("refuses to use one file as the store and the backup", async () => {
    const [data, file] = [place("one.db"), place("one.gz")];
    await makeStore(data);
    symlinkSync(data, place("link.db"));
    await run("backup", file, "--data", data);
    expect((await run("backup", data, "--data", place("link.db"), "--yes")).code).toBe(2);
    expect((await run("restore", file, "--data", file, "--yes")).code).toBe(2);
    expect((await run("restore", file, "--data", place("link.db"), "--yes")).code).toBe(0);
    expect(lstatSync(place("link.db")).isSymbolicLink()).toBe(true);
    expect((await run("doctor", "--full", "--data", data)).code).toBe(0);
  });

  it.skipIf(process.platform !== "linux")("lets a waiting command continue on the new store", async () => {
    const [data, other, old] = [place("waited.db"), place("other.db"), place("waited-old.db")];
    await makeStore(data);
    cpSync(data, other);
    const lock = new SqliteDatabase(data);
    lock.pragma("locking_mode = exclusive");
    lock.pragma("journal_mode = truncate");
    const child = startProgram(["trucks", "create", "--location", "1", "--name", "T", "--data", data]);
    const exited = toExit(child);
    // The command has opened the old file and waits for its lock.
    await until(() => openFiles(child.pid).includes(data));
    rmSync(`${data}-journal`, { force: true });
    renameSync(data, old);
    renameSync(other, data);
    lock.close();
    expect(await exited).toBe(0);
    expect([truckIds(data), truckIds(old)]).toEqual([[1], []]);
    expect((await run("doctor", "--full", "--data", data)).code).toBe(0);
  });

  it("replaces a store that is damaged beyond reading", async () => {
    const [data, file] = [place("ruin.db"), place("ruin.gz")];
    await makeStore(data);
    await run("backup", file, "--data", data);
    for (const ruin of ["", "This was a store. ".repeat(500)]) {
      writeFileSync(data, ruin);
      // A leftover log must not be applied to the new store.
      writeFileSync(`${data}-wal`, "left over");
      expect((await run("restore", file, "--data", data, "--yes")).code).toBe(0);
      expect((await run("doctor", "--full", "--data", data)).code).toBe(0);
    }
  });
});

describe("a command that is killed halfway", () => {
  const [data, file] = [place("large.db"), place("large.gz")];
  beforeAll(async () => {
    await makeStore(data);
    const connection = new SqliteDatabase(data);
    // Random bytes do not compress, so that the work takes long enough to be killed.
    connection.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 120)
      insert into meta select 'filler ' || i, hex(randomblob(50000)) from n`);
    connection.close();
    expect((await run("backup", file, "--data", data)).code).toBe(0);
  });

  it.each(["SIGKILL", "SIGINT"] as const)(
    "a backup killed by %s leaves no backup or a whole one, and the next one is whole",
    async (signal) => {
      for (const delay of [300, 500]) {
        const wanted = place(`${signal}-${delay}.gz`);
        const child = startProgram(["backup", wanted, "--data", data]);
        const exited = toExit(child);
        await sleep(delay);
        child.kill(signal);
        const code = await exited;
        if (signal === "SIGINT" && code === 130) expect(beside(`${signal}-${delay}.gz`)).toEqual([]);
        // A signal that arrives after the rename finds a finished backup.
        if (!existsSync(wanted)) expect((await run("backup", wanted, "--data", data)).code).toBe(0);
        const restored = place(`${signal}-${delay}.db`);
        expect((await run("restore", wanted, "--data", restored)).code).toBe(0);
        expect(query(restored, "select 1 as id from meta where key like 'filler%'")).toHaveLength(120);
      }
    },
  );

  it("a backup fails and leaves nothing when its reader closes the pipe or the disk is full", async () => {
    const scratch = place("scratch");
    mkdirSync(scratch);
    const env = { DISPATCH_DATA: data, TMPDIR: scratch };
    const { code, stderr } = shell("dispatch-cli backup - | head -c 1000 >/dev/null", env);
    expect([code, stderr]).toEqual([1, expect.stringContaining("the reader closed the pipe")]);
    expect(shell("dispatch-cli backup - >/dev/full", env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the disk is full. The output is incomplete"),
    });
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("a PostgreSQL backup exits with 1 and leaves nothing when the disk is full", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    await makeStore(database.data);
    const full = place("full");
    mkdirSync(full);
    const { code, stderr } = shell(`ulimit -f 100; dispatch-cli backup '${full}/store.gz'`, {
      DISPATCH_DATA: database.data,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("the disk is full")]);
    expect(readdirSync(full)).toEqual([]);
  });

  it("a restore leaves the old store or the new one", async () => {
    const target = place("target.db");
    await makeStore(target);
    await run("trucks", "create", "--location", "1", "--name", "old", "--data", target);
    const outcomes = new Set<string>();
    for (const delay of [250, 400, 500, 600]) {
      const child = startProgram(["restore", file, "--data", target, "--yes"]);
      const exited = toExit(child);
      await sleep(delay);
      child.kill("SIGKILL");
      await exited;
      const trucks = truckIds(target).length;
      const fillers = query(target, "select 1 as id from meta where key like 'filler%'").length;
      expect([
        [1, 0],
        [0, 120],
      ]).toContainEqual([trucks, fillers]);
      outcomes.add(trucks === 1 ? "old" : "new");
    }
    expect(outcomes.size).toBeGreaterThan(0);
    expect((await run("restore", file, "--data", target, "--yes")).code).toBe(0);
    expect(query(target, "select 1 as id from meta where key like 'filler%'")).toHaveLength(120);
  });
});
