import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPostgresFacts } from "../../src/store/health/postgres-facts.ts";
import { parsePostgresAddress } from "../../src/store/postgres/address.ts";
import { toStoreError } from "../../src/store/postgres/errors.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

describe("a PostgreSQL store over TLS", () => {
  const folder = useTempFolder();
  const authority = join(folder, "ca.pem");
  let postgres: PostgresServer;

  beforeAll(async () => {
    writeFileSync(authority, tlsFixture.cert);
    postgres = await startPostgres(tlsFixture);
  });
  afterAll(() => postgres.remove());

  /** Opens a store. Returns whether the connection is encrypted, or the code of the error. */
  async function open(parameters: string, host = "127.0.0.1", env = {}): Promise<unknown> {
    const url = new URL(postgres.address);
    url.hostname = host;
    url.search = parameters;
    return openAt(url.href, env);
  }

  async function openAt(data: string, env = {}): Promise<unknown> {
    try {
      const database = openPostgres(data, { create: true, env });
      const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
        .execute(database.db)
        .finally(() => database.close());
      return rows[0]?.ssl;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  }

  it("is encrypted when the address asks for it, whatever the server", async () => {
    expect(await open("")).toBe(false);
    expect(await open("sslmode=disable")).toBe(false);
    expect(await open("sslmode=require")).toBe(true);
  });

  it("shows doctor its encryption and its addresses", async () => {
    for (const [parameters, isEncrypted] of [
      ["sslmode=disable", false],
      ["sslmode=require", true],
    ] as const) {
      const url = new URL(postgres.address);
      url.search = parameters;
      const database = openPostgres(url.href, { create: true });
      const facts = await readPostgresFacts(database.db, parsePostgresAddress(url.href)).finally(() =>
        database.close(),
      );
      const here = "127.0.0.1";
      expect(facts.way).toEqual({ clientAddress: here, host: here, isEncrypted, serverAddress: here });
    }
  });

  it("opens with a server certificate of the named authority", async () => {
    expect(await open(`sslmode=verify-full&sslrootcert=${authority}`)).toBe(true);
    expect(await open(`sslmode=verify-full&sslrootcert=${authority}`, "localhost")).toBe(true);
    expect(await open(`sslmode=verify-ca&sslrootcert=${authority}`)).toBe(true);
  });

  it("follows PGSSLMODE, PGSSLROOTCERT, and a service", async () => {
    const { host, port, database, user, password } = parsePostgresAddress(postgres.address);
    const file = join(folder, "services.conf");
    const server = `host=${host}\nport=${port}\ndbname=${database}\nuser=${user}\npassword=${password}\n`;
    writeFileSync(file, `[yard]\n${server}sslmode=verify-full\nsslrootcert=${authority}\n`);
    const asked = (env: Record<string, string>, parameters = "") => open(parameters, "127.0.0.1", env);
    expect(await asked({ PGSSLMODE: "require" })).toBe(true);
    expect(await asked({ PGSSLMODE: "verify-full" })).toBe("store_unreadable");
    expect(await asked({ PGSSLMODE: "verify-full", PGSSLROOTCERT: authority })).toBe(true);
    expect(await asked({ PGSSLMODE: "require" }, "sslmode=disable")).toBe(false);
    expect(await openAt("postgres://", { PGSERVICE: "yard", PGSERVICEFILE: file })).toBe(true);
  });

  it("is refused with an untrusted server certificate", async () => {
    expect(await open("sslmode=verify-full")).toBe("store_unreadable");
    expect(await open("sslmode=verify-ca")).toBe("store_unreadable");
  });

  it("is refused at a server of another name by verify-full only", async () => {
    expect(await open(`sslmode=verify-full&sslrootcert=${authority}`, "0.0.0.0")).toBe("store_unreadable");
    expect(await open(`sslmode=verify-ca&sslrootcert=${authority}`, "0.0.0.0")).toBe(true);
    expect(await open(`sslmode=require&sslrootcert=${authority}`, "0.0.0.0")).toBe(true);
  });

  it("is refused when a certificate cannot be read", async () => {
    expect(await open(`sslmode=verify-full&sslrootcert=${folder}/none.pem`)).toBe("store_unreadable");
  });

  it("names the host of a refused certificate only in the errors of its opening", () => {
    const certificate = { subject: { CN: "db.example" }, subjectaltname: "DNS:db.example" };
    const refusal = checkServerIdentity("10.1.2.3", certificate as PeerCertificate);
    const [first, later] = [true, false].map((isOpening) =>
      toStoreError(refusal, "postgres://db", isOpening),
    );
    expect(first).toMatchObject({ code: "store_unreadable", message: expect.stringContaining("10.1.2.3") });
    expect(later).toMatchObject({
      code: "store_unavailable",
      message: "The database offers no trusted connection.",
    });
  });
});
