import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { findPgBouncer, startPgBouncer } from "./pgbouncer.ts";
import { startPostgres } from "./postgres-server.ts";

/** The server on which tests create their PostgreSQL databases. */
export interface PostgresPlace {
  /** The server's default database. Its user owns the tests' databases and is not a superuser. */
  address: string;
  /** The address that the program uses: through a PgBouncer in transaction mode if one is installed. */
  through: string;
  /** The name of an empty store to copy. */
  template: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    postgres: PostgresPlace;
  }
}

/**
 * Provides a PostgreSQL for the whole run: the server at DISPATCH_TEST_POSTGRES (15 or later, with a superuser), or
 * one of our own. Removes everything afterwards.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const place = makePlace();
  useHome(join(place, "home"));
  const bouncerProgram = findPgBouncer();
  const given = process.env.DISPATCH_TEST_POSTGRES;
  const own = given ? undefined : await startPostgres();
  const admin = given ?? own?.address ?? "";
  const name = `dispatch_test_${randomBytes(4).toString("hex")}`;
  const password = `p@ss/${randomBytes(8).toString("hex")}`;
  await runAs(admin, [
    `create role ${name} login createdb password '${password}'`,
    `create database ${name} owner ${name}`,
    // Lets copies of rows skip foreign key checks: the original row passed them.
    `grant set on parameter session_replication_role to ${name}`,
  ]);
  const address = new URL(admin);
  address.username = name;
  address.password = password;
  const template = new URL(address);
  template.pathname = name;
  const store = openPostgres(template.href, { create: true });
  await store.check();
  await store.close();
  const bouncer =
    own && bouncerProgram
      ? await startPgBouncer(bouncerProgram, address.href, await secretOf(admin, name), own.runsAs)
      : null;
  project.provide("postgres", {
    address: address.href,
    template: name,
    through: bouncer?.address ?? address.href,
  });
  return async () => {
    await bouncer?.stop();
    rmSync(place, { recursive: true, force: true });
    if (own) return own.remove();
    const { rows } = await runAs(admin, [`select datname from pg_database where datname like '${name}%'`]);
    const drops = rows.map(({ datname }) => `drop database ${datname} with (force)`);
    const revoke = `revoke set on parameter session_replication_role from ${name}`;
    await runAs(admin, [...drops, revoke, `drop role ${name}`]);
  };
}

/**
 * Creates the folder for all files of the tests and the server. It is in memory if the machine has room there,
 * because a store waits for the disk at each commit.
 */
function makePlace(): string {
  const hasRoom = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > roomBytes;
  const place = mkdtempSync(join(hasRoom ? memory : tmpdir(), "dispatch-tests-"));
  // A PostgreSQL server refuses to run as root.
  chmodSync(place, 0o755);
  // The test processes inherit it.
  process.env.TMPDIR = place;
  return place;
}

/**
 * Gives the tests an empty home folder, so that the developer's own files, such as the last demo store, affect none.
 */
function useHome(home: string): void {
  // The developer's .npmrc configures the registry. npm sets this variable when it runs the tests.
  process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
  for (const name of ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]) delete process.env[name];
  mkdirSync(home);
  process.env.HOME = home;
}

const memory = "/dev/shm";
const roomBytes = 2 ** 31;

/** The role's password in the form that the server stores. */
async function secretOf(admin: string, role: string): Promise<string> {
  const { rows } = await runAs(admin, [`select rolpassword from pg_authid where rolname = '${role}'`]);
  return String(rows[0]?.rolpassword);
}

async function runAs(address: string, statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    let last = await client.query("select 1");
    for (const statement of statements) last = await client.query(statement);
    return last;
  } finally {
    await client.end();
  }
}
