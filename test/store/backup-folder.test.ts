import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { backupToFolder, lockFolder } from "../../src/store/backups/backup-to-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const base = useTempFolder();
const place = (name: string) => join(base, name);
const data = place("store.db");

async function run(...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, "-o", "json"]);
  const detail = stderr === "" ? "" : String(JSON.parse(stderr).detail);
  return { code, detail, value: stdout === "" ? null : JSON.parse(stdout) };
}

/** Creates a new folder with helpers. */
function makeFolder(name: string) {
  const folder = place(name);
  mkdirSync(folder);
  const backups = () => readdirSync(folder).filter((file) => /\.gz$/.test(file));
  /** Makes a backup at a given second of the same minute. */
  const backupAt = (second: number, keep = 2) =>
    backupToFolder(
      {
        data,
        encryption: null,
        now: `2026-11-22T08:30:${String(second).padStart(2, "0")}.000000`,
        progress: () => undefined,
      },
      { folder, keep, everySeconds: null },
    );
  const record = () => JSON.parse(readFileSync(join(folder, "backups.json"), "utf8"));
  return { folder, backups, backupAt, record };
}

const nameAt = (second: number) => `dispatch-20261122T0830${String(second).padStart(2, "0")}Z.gz`;

beforeAll(async () => {
  expect((await run("init", "--data", data)).code).toBe(0);
});

describe("a folder of backups", () => {
  it("keeps the newest backups, readable by their owner only, and a list of the verified ones", async () => {
    const { backupAt, backups, folder, record } = makeFolder("keeps");
    for (const second of [1, 2, 3]) await backupAt(second);
    expect(backups()).toEqual([nameAt(2), nameAt(3)]);
    for (const file of [...backups(), "backups.json"])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    const { backups: listed, ...rest } = record();
    expect(rest).toEqual({ every_seconds: null, failure: null, keep: 2, store: data });
    expect(listed).toMatchObject([
      { file: nameAt(2), rows: { tenants: 1 }, encrypted: false },
      { file: nameAt(3), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    const newest = join(folder, nameAt(3));
    expect((await run("restore", newest, "--data", place("from-folder.db"))).code).toBe(0);
  });

  it("has metrics of the newest backup, which the exporter of the machine may read", async () => {
    const { backupAt, folder } = makeFolder("metrics");
    const file = join(folder, "backups.prom");
    await backupAt(1);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const created = `dispatch_backup_time_seconds{of="created"} ${Date.UTC(2026, 10, 22, 8, 30, 1) / 1000}\n`;
    const text = readFileSync(file, "utf8");
    expect(text).toContain(created);
    expect(text).toMatch(/^dispatch_backup_time_seconds\{of="verified"\} \d{10}\n/m);
    expect(text).toContain("dispatch_backup_failures 0\n");
  });

  it("keeps unlisted files whatever their name, and deletes leftovers of killed programs", async () => {
    const { backupAt, backups, folder } = makeFolder("foreign");
    writeFileSync(join(folder, nameAt(0)), "somebody's");
    const left = `${nameAt(1)}.1a2b3c4d`;
    for (const name of [`${left}.new`, `${left}.copy-wal`, "mine.1a2b3c4d.new"])
      writeFileSync(join(folder, name), "x");
    for (const second of [2, 3, 4]) await backupAt(second, 1);
    expect(backups()).toEqual([nameAt(0), nameAt(4)]);
    expect(readdirSync(folder).filter((name) => name.includes("1a2b3c4d"))).toEqual(["mine.1a2b3c4d.new"]);
  });

  it("orders backups by creation when the clock was set back, and overwrites none", async () => {
    const { backupAt, backups, record } = makeFolder("set-back");
    await backupAt(30);
    await backupAt(10);
    await backupAt(10);
    expect(backups().sort()).toEqual([nameAt(10).replace(".gz", "-2.gz"), nameAt(10)].sort());
    expect(record().backups.map(({ file }: { file: string }) => file)).toEqual([
      nameAt(10),
      nameAt(10).replace(".gz", "-2.gz"),
    ]);
  });

  it("does not count truncated backups, so that none of them replaces a good one", async () => {
    const { backupAt, backups, folder } = makeFolder("cut-off");
    await backupAt(1);
    await backupAt(2);
    truncateSync(join(folder, nameAt(2)), 100);
    await backupAt(3);
    expect(backups()).toEqual([nameAt(1), nameAt(2), nameAt(3)]);
    const { code, value } = await run("doctor", "--backups", folder, "--max-age", "100d");
    const kept = value.findings.find(({ check }: { check: string }) => check === "kept");
    expect([code, kept.status, kept.detail]).toEqual([
      0,
      "warn",
      expect.stringContaining("has 100 bytes of"),
    ]);
  });

  it("keeps its backups when the store cannot be backed up, records the failure, and recovers", async () => {
    const { backups, folder, record } = makeFolder("fails");
    const broken = place("broken.db");
    writeFileSync(broken, readFileSync(data));
    const keepOne = ["backup", "--to", folder, "--keep", "1", "--data", broken];
    expect((await run(...keepOne)).code).toBe(0);
    const [good] = backups();
    const connection = new SqliteDatabase(broken);
    connection.pragma("foreign_keys = off");
    connection.exec("update users set tenant_id = 99");
    for (const times of [1, 2]) {
      expect((await run(...keepOne)).code).toBe(8);
      expect(backups()).toEqual([good]);
      expect(record().failure).toMatchObject({ code: "store_unreadable", in_a_row: times });
      expect(readFileSync(join(folder, "backups.prom"), "utf8")).toContain(
        `dispatch_backup_failures ${times}\n`,
      );
    }
    const ill = await run("doctor", "--backups", folder);
    expect([ill.code, ill.value.findings]).toEqual([
      9,
      expect.arrayContaining([expect.objectContaining({ check: "last try", status: "bad" })]),
    ]);
    connection.exec("update users set tenant_id = 1");
    connection.close();
    expect((await run(...keepOne)).code).toBe(0);
    expect(backups()).not.toEqual([good]);
    expect([backups().length, record().failure]).toEqual([1, null]);
  });

  it("is used by one program at a time, and by the next as soon as that one ends", async () => {
    const { backupAt, backups, folder } = makeFolder("locked");
    const release = lockFolder(folder);
    // The lock file is empty, so a full disk does not prevent the lock or the report of the failure.
    expect(readdirSync(folder)).toEqual([".backup.lock"]);
    expect(await backupAt(1)).toBeNull();
    const refused = await run("backup", "--to", folder, "--data", data);
    expect([refused.code, refused.detail]).toEqual([
      6,
      expect.stringContaining("Another program is making a backup"),
    ]);
    release?.();
    await backupAt(2);
    expect(backups()).toEqual([nameAt(2)]);
  });

  it("must exist and hold one store's backups, or is refused before a backup is made", async () => {
    const { backupAt, backups, folder } = makeFolder("refused");
    await backupAt(1);
    const other = place("other.db");
    await run("init", "--data", other);
    const refused: [string[], RegExp][] = [
      [["--to", folder, "--data", other], /has the backups of .*store\.db/],
      [["--to", place("nowhere"), "--data", data], /is not a folder\. Create it first/],
      [["--to", folder, "x.gz", "--data", data], /either a backup file or a folder/],
      [["--every", "1h", "--data", data], /Name either a backup file/],
      [["x.gz", "--keep", "3", "--data", data], /need --to/],
      [["--to", folder, "--every", "999ms", "--data", data], /1s or longer/],
      [["--to", folder, "--every", "soon", "--data", data], /must be a duration/],
      [["--to", folder, "--keep", "0", "--data", data], /from 1 to 99999/],
      [["-", "--url", "http://127.0.0.1:1"], /on the machine of the store: .*ssh/],
    ];
    for (const [words, reason] of refused)
      expect(await run("backup", ...words)).toMatchObject({ code: 2, detail: expect.stringMatching(reason) });
    expect(backups()).toEqual([nameAt(1)]);
  });

  it("accepts a symbolic link to the store", async () => {
    const { backupAt, folder } = makeFolder("linked");
    await backupAt(1);
    symlinkSync(data, place("link.db"));
    expect((await run("backup", "--to", folder, "--data", place("link.db"))).code).toBe(0);
  });
});

it("backs up repeatedly until a signal ends it, and exits normally", async () => {
  const { backups, folder } = makeFolder("every");
  let end = () => {};
  const interrupted = new Promise<void>((resolve) => {
    end = resolve;
  });
  const words = ["backup", "--to", folder, "--every", "1s", "--keep", "1", "--data", data, "-o", "json"];
  const { code, stdout } = await runCommand(words, {
    interrupted,
    onOutput: (text) => {
      if (text.split("backup made").length > 2) end();
    },
  });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.map(({ level, msg }) => [level, msg.slice(0, 11)])).toEqual([
    ["info", `Backing up `],
    ["info", "backup made"],
    ["info", "backup made"],
    ["info", "Stopped. An"],
  ]);
  expect(lines[2]).toMatchObject({ removed: [lines[1].file], time: expect.any(String) });
  expect(backups()).toEqual([lines[2].file]);
});

it("leaves nothing of an interrupted backup, and records no failure", async () => {
  const { folder } = makeFolder("ended");
  const words = ["backup", "--to", folder, "--every", "1h", "--data", data];
  const { code } = await runCommand(words, { interrupted: Promise.resolve() });
  expect([code, readdirSync(folder).filter((name) => name !== ".backup.lock")]).toEqual([0, []]);
});

describe("doctor --backups", () => {
  const statuses = async (...words: string[]) => {
    const { code, value } = await run("doctor", "--backups", ...words);
    const of = ({ check, status }: { check: string; status: string }) => [check, status];
    return { code, ...Object.fromEntries(value.findings.map(of)) };
  };

  it("reports the age of the newest, and whether it is still the verified file", async () => {
    const { folder } = makeFolder("judged");
    await run("backup", "--to", folder, "--data", data);
    expect(await statuses(folder)).toEqual({
      code: 0,
      kept: "ok",
      "last try": "ok",
      leftovers: "ok",
      newest: "ok",
      permissions: "ok",
      room: "ok",
      whole: "ok",
    });
    expect(await statuses(folder, "--max-age", "0s")).toMatchObject({ code: 9, newest: "bad" });
    const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".gz"));
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(join(folder, name), bytes);
    expect(await statuses(folder)).toMatchObject({ code: 9, whole: "bad" });
    expect(await statuses(folder, "--quick")).toMatchObject({ code: 0, whole: "ok" });
    rmSync(join(folder, name));
    expect(await statuses(folder)).toMatchObject({ code: 9, kept: "warn", newest: "bad" });
  });

  it("finds backups with other names by their content", async () => {
    const { folder } = makeFolder("named-by-cron");
    expect(await statuses(folder)).toMatchObject({ code: 9, newest: "bad" });
    await run("backup", join(folder, "monday.gz"), "--data", data);
    writeFileSync(join(folder, "notes.txt"), "no backup");
    expect(await statuses(folder)).toMatchObject({ code: 0, newest: "ok", whole: "ok" });
    const bytes = readFileSync(join(folder, "monday.gz"));
    writeFileSync(join(folder, "monday.gz"), bytes.subarray(0, -500));
    expect(await statuses(folder)).toMatchObject({ code: 9, whole: "bad" });
    expect((await run("doctor", "--backups", place("nowhere"))).code).toBe(2);
  });
});
