import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { backupStore } from "../../src/store/backups/backup-store.ts";
import { openBackupFile } from "../../src/store/backups/chunks.ts";
import { noKeys } from "../../src/store/backups/encryption.ts";
import { openRestorable, restoreStore } from "../../src/store/backups/restore-store.ts";
import { newestSchema } from "../../src/store/migrations/index.ts";
import { runCommand } from "../support/command-line.ts";
import { findPgBouncer } from "../support/pgbouncer.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const [data, whole] = [place("store.db"), place("whole.gz")];

async function run(...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, "-o", "json"]);
  // Steps that take more than 5 s report their progress.
  const told = stderr.replace(/^(checking|copying|packing|restoring|unpacking) .*\n/gm, "");
  const detail = told === "" ? "" : String(JSON.parse(told).detail);
  return { code, detail, value: stdout === "" ? null : JSON.parse(stdout) };
}

beforeAll(async () => {
  await run("init", "--tenant", "Łukasz & Söhne 株式会社", "--location", "Main yard", "--data", data);
  await run("trucks", "create", "--location", "1", "--name", "Truck 7", "--data", data);
  expect((await run("backup", whole, "--data", data)).code).toBe(0);
});

/** Splits a backup into its header and its content. */
function split(bytes: Buffer): { head: Record<string, unknown>; content: Buffer } {
  const end = bytes.indexOf(0, 10);
  const text = bytes.subarray(10, end).toString("latin1");
  return { head: JSON.parse(text.slice(text.indexOf("{"))), content: bytes.subarray(end + 11) };
}

function glue(head: unknown, content: Buffer): Buffer {
  const start = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]);
  const comment = Buffer.from(`dispatch-cli backup 1 ${JSON.stringify(head)}\0`, "latin1");
  return Buffer.concat([start, comment, Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]), content]);
}

const flip = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

describe("an unusable backup", () => {
  const cases: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ["an empty file", () => Buffer.alloc(0), /is empty/],
    ["text", () => Buffer.from("This is no backup."), /is not a backup of dispatch-cli/],
    ["a store", () => readFileSync(data), /is a SQLite file, not a backup/],
    ["another's gzip file", () => gzipSync("hello"), /gzip file, but not a backup/],
    ["a head that is cut off", (bytes) => bytes.subarray(0, 60), /is cut off/],
    ["a head without its content", (bytes) => bytes.subarray(0, bytes.indexOf(0, 10) + 11), /are missing/],
    ["a content that is cut off", (bytes) => bytes.subarray(0, bytes.length - 2000), /its end is missing/],
    ["a content without its last byte", (bytes) => bytes.subarray(0, bytes.length - 1), /its end is missing/],
    ["a flipped byte in the content", (bytes) => flip(bytes, bytes.length - 3000), /is damaged/],
    ["a flipped byte in the gzip checksum", (bytes) => flip(bytes, bytes.length - 6), /is damaged/],
    [
      "a content that is not the head's",
      (bytes) => glue(split(bytes).head, gzipSync(flip(gunzipSync(split(bytes).content), 5000))),
      /does not match its checksum/,
    ],
    [
      "more content than the head says",
      (bytes) => glue({ ...split(bytes).head, bytes: 5000 }, split(bytes).content),
      /holds more than its header says/,
    ],
    [
      "other rows than the head says",
      (bytes) => glue({ ...split(bytes).head, rows: { trucks: 2 } }, split(bytes).content),
      /other rows than its header says/,
    ],
    [
      "a store of a newer program",
      (bytes) =>
        glue({ ...split(bytes).head, schema: newestSchema + 1, program: "9.9.9" }, split(bytes).content),
      /schema \d+, made by dispatch-cli 9\.9\.9.*Use a newer/,
    ],
  ];

  it.each(cases)("is refused when it is %s, and the store stays unchanged", async (name, make, reason) => {
    const file = place(`${name.replaceAll(" ", "-")}.gz`);
    writeFileSync(file, make(readFileSync(whole)));
    const before = readFileSync(data);
    const over = await run("restore", file, "--data", data, "--yes");
    expect([over.code, over.detail]).toEqual([2, expect.stringMatching(reason)]);
    expect(over.detail).toContain(file);
    expect(readFileSync(data).equals(before)).toBe(true);
    const fresh = place("fresh.db");
    expect((await run("restore", file, "--data", fresh)).code).toBe(2);
    expect((await run("whoami", "--data", fresh)).code).toBe(5);
  });

  it("is refused when it is a folder or missing", async () => {
    mkdirSync(place("folder"), { recursive: true });
    for (const file of [place("folder"), place("nowhere.gz")])
      expect((await run("restore", file, "--data", data, "--yes")).code).toBe(2);
  });
});

const rewriteSchema = "pragma writable_schema = on;";

describe("a backup", () => {
  it("is refused for a damaged store", async () => {
    const [orphaned, file] = [place("orphaned.db"), place("orphaned.gz")];
    writeFileSync(orphaned, readFileSync(data));
    const connection = new SqliteDatabase(orphaned);
    connection.pragma("foreign_keys = off");
    connection.exec("update trucks set location_id = 99");
    connection.close();
    const { code, detail } = await run("backup", file, "--data", orphaned);
    expect([code, detail]).toEqual([
      8,
      expect.stringContaining("of trucks refers to a missing row of locations"),
    ]);
    expect((await run("restore", file, "--data", data, "--yes")).code).toBe(2);
  });

  it.each([
    ["trigger forged", "create trigger forged after insert on audit begin delete from drivers; end"],
    [
      "trigger sqlitexforged",
      "create trigger sqliteXforged after insert on audit begin delete from drivers; end",
    ],
    [
      "trigger sqlite_forged",
      `create trigger forged after insert on audit begin delete from drivers; end; ${rewriteSchema}
        update sqlite_schema set name = 'sqlite_forged', sql = replace(sql, 'forged', 'sqlite_forged') where name = 'forged'`,
    ],
    [
      "trigger jobs_count_on_insert",
      "drop trigger jobs_count_on_insert; create trigger jobs_count_on_insert after insert on jobs begin delete from jobs; end",
    ],
    [
      "table trucks",
      `${rewriteSchema} update sqlite_schema set sql = replace(sql, ') strict', ', check (0)) strict') where name = 'trucks'`,
    ],
    [
      "column trucks.notes",
      `${rewriteSchema} update sqlite_schema set sql = replace(sql, 'notes', 'notes text check (0) default') where name = 'trucks'`,
    ],
    ["table extra", "create table extra (id integer, foreign key (id) references trucks (id))"],
    ["column trucks.extra", "alter table trucks add column extra text as ('x')"],
  ])("with a foreign %s cannot be restored or made, and the store stays unchanged", async (what, sql) => {
    const [forged, file] = [place("forged.db"), place("forged.gz")];
    const { head, content } = split(readFileSync(whole));
    writeFileSync(forged, gunzipSync(content));
    const connection = new SqliteDatabase(forged);
    connection.unsafeMode();
    connection.exec(sql);
    connection.close();
    const bytes = readFileSync(forged);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const rows = { ...(head.rows as object), ...(what === "table extra" && { extra: 0 }) };
    writeFileSync(file, glue({ ...head, bytes: bytes.length, rows, sha256 }, gzipSync(bytes)));
    const before = readFileSync(data);
    for (const words of [["--data", data, "--yes"], ["--check"]]) {
      const { code, detail } = await run("restore", file, ...words);
      expect([code, detail]).toEqual([2, expect.stringContaining(`It has unknown objects: ${what}`)]);
    }
    expect(readFileSync(data).equals(before)).toBe(true);
    const made = await run("backup", place("of-forged.gz"), "--data", forged);
    expect([made.code, made.detail]).toEqual([8, expect.stringContaining(what)]);
  });

  it("works on the store itself and not through a server", async () => {
    for (const words of [["backup", place("x.gz")], ["restore", whole], ["stats"]]) {
      const { code, detail } = await run(...words, "--url", "http://127.0.0.1:1");
      expect(code).toBe(2);
      expect(detail).not.toBe("");
    }
  });
});

describe("a backup of a PostgreSQL store", () => {
  it("can be restored into a file and into an empty database, with all records", async () => {
    const source = createEmptyDatabase();
    const empty = createEmptyDatabase();
    const [file, target] = [place("postgres.gz"), place("from-postgres.db")];
    expect((await run("restore", whole, "--data", source.data)).code).toBe(0);
    const named = ["--location", "1", "--name", "Truck “8” 株式会社"];
    expect((await run("trucks", "create", ...named, "--data", source.data)).code).toBe(0);
    const made = await run("backup", file, "--data", source.data);
    expect([made.code, made.detail]).toEqual([0, ""]);
    expect(made.value.rows).toMatchObject({ audit: source.rowCounts().audit, trucks: 2 });
    expect(JSON.stringify(made.value)).not.toContain(new URL(source.data).password);
    for (const place of [target, empty.data]) {
      expect(await run("restore", file, "--data", place)).toMatchObject({ code: 0, value: { kept: null } });
      const list = ["trucks", "list", "--location", "1", "--data"];
      expect((await run(...list, place)).value).toEqual((await run(...list, source.data)).value);
    }
    // The next record gets a new id.
    const next = await run("trucks", "create", ...named, "--data", empty.data);
    expect(next.value.id).toBe(3);
    const again = await run("restore", file, "--data", empty.data, "--yes");
    expect([again.code, again.detail]).toEqual([6, expect.stringContaining("already")]);
    source.remove();
    empty.remove();
  });

  it("shows all tenants at one moment while others write, through a pooler too", async () => {
    const source = createEmptyDatabase();
    // If PgBouncer is installed, the test reads and fills the store through it, in transaction mode.
    expect(source.data === source.direct).toBe(findPgBouncer() === null);
    await run("restore", whole, "--data", source.data);
    const second = await run("tenants", "create", "--name", "Second", "--data", source.data);
    expect(second.code).toBe(0);
    const [yard] = source.rows("locations");
    source.insert("locations", { ...yard, id: 2, tenant_id: 2 });
    const [truck] = source.rows("trucks");
    let pairs = 0;
    const writePair = () => {
      pairs += 1;
      // Each insert is its own commit, the first tenant's before the second's. So the second tenant never has more.
      for (const tenant of [1, 2])
        source.insert("trucks", {
          ...truck,
          id: 100 * pairs + tenant,
          location_id: tenant,
          tenant_id: tenant,
        });
    };
    const file = place("one-moment.gz");
    const now = "2026-11-21T00:00:00.000000";
    const progress = (text: string) => {
      if (/^copying (?:trucks|jobs) /.test(text)) writePair();
    };
    await backupStore({ data: source.data, encryption: null, now, progress }, file);
    const target = place("one-moment.db");
    expect((await run("restore", file, "--data", target)).code).toBe(0);
    const filled = createEmptyDatabase();
    expect((await run("restore", file, "--data", filled.data)).code).toBe(0);
    const trucks = "select id, tenant_id from trucks order by tenant_id, id";
    const connection = new SqliteDatabase(target);
    const count = "select count(*) from trucks where id > 100 group by tenant_id order by tenant_id";
    const counts = connection.prepare(count).pluck().all();
    expect(filled.query(trucks)).toEqual(connection.prepare(trucks).all());
    connection.close();
    expect(pairs).toBeGreaterThan(2);
    expect(counts).toEqual([]);
    filled.remove();
    source.remove();
  });

  it("continues an interrupted restore", async () => {
    const target = createEmptyDatabase();
    const backup = await openRestorable(openBackupFile(whole), noKeys);
    const now = "2026-11-21T00:00:00.000000";
    const interrupted = restoreStore(backup, {
      data: target.data,
      now,
      progress: (text) => {
        if (text.startsWith("restoring trucks")) throw new Error("interrupted");
      },
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    // An unfinished store refuses commands.
    expect((await run("trucks", "list", "--location", "1", "--data", target.data)).code).toBe(8);
    expect((await run("restore", whole, "--data", target.data)).code).toBe(0);
    expect(target.rows("trucks")).toHaveLength(1);
    target.remove();
  });

  it("is refused for a database with a store, which stays unchanged", async () => {
    const other = createEmptyDatabase();
    await run("init", "--tenant", "Other", "--data", other.data);
    const before = other.contents();
    expect((await run("restore", whole, "--data", other.data, "--yes")).code).toBe(6);
    expect(other.contents()).toEqual(before);
    other.remove();
  });
});
