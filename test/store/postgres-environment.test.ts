import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DispatchError } from "../../src/errors/errors.ts";
import { parsePostgresAddress } from "../../src/store/postgres/address.ts";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

function refusalOf(data: string, env: Record<string, string>): string {
  try {
    parsePostgresAddress(data, env);
  } catch (error) {
    expect((error as DispatchError).code).toBe("usage");
    return (error as DispatchError).message;
  }
  throw new Error(`${data} was taken.`);
}

describe("libpq's environment", () => {
  const env = {
    PGAPPNAME: "yard",
    PGCONNECT_TIMEOUT: "4",
    PGOPTIONS: "-c search_path=x",
    PGSSLCERT: "/client.pem",
    PGSSLKEY: "/client.key",
    PGSSLMODE: "verify-full",
    PGSSLROOTCERT: "/ca.pem",
  };

  it("is refused when it names several hosts", () => {
    expect(refusalOf("postgres:///d", { PGHOST: "h1,h2" })).toContain("PGHOST names several hosts");
    expect(parsePostgresAddress("postgres://h/d", { PGHOST: "h1,h2" }).host).toBe("h");
  });

  it("applies to every command that opens a store", async () => {
    const data = ["--data", "postgres://127.0.0.1:1/none"];
    const tenant = ["--tenant", "1"];
    const commands = [
      ["jobs", "list", ...tenant, ...data],
      ["init", ...data],
      ["demo", ...data],
      ["serve", ...data],
      ["serve", "--print-config", ...data],
      ["hooks", "deliver", ...data],
      ["secrets", "status", ...data],
      ["stats", ...data],
      ["migrate", ...data],
      ["migrate", "--status", ...data],
      ["doctor", ...data],
      ["backup", join(folder, "none.gz"), ...data],
      ["store", "copy", "--from", "postgres://127.0.0.1:1/none", "--to", join(folder, "none.db")],
      ["conformance", "--postgres", "postgres://127.0.0.1:1/none"],
    ];
    for (const words of commands) {
      const { code, stderr } = await runCommand(words, { env: { PGSSLMODE: "prefer" } });
      expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining("PGSSLMODE must be disable")]);
    }
    const { code, stderr } = await runCommand(["jobs", "list", ...tenant, ...data]);
    expect([code, stderr]).toEqual([8, expect.stringContaining("No database answers there")]);
  });

  it("supplies the values that an address leaves out", () => {
    expect(parsePostgresAddress("postgres://h/d", env)).toMatchObject({
      applicationName: "yard",
      connectTimeoutMs: 4000,
      options: "-c search_path=x",
      tls: {
        certificateFile: "/client.pem",
        keyFile: "/client.key",
        mode: "verify-full",
        rootCertificateFile: "/ca.pem",
      },
    });
  });

  it("is overridden by the address, parameter by parameter", () => {
    const data = "postgres://h/d?sslmode=disable&application_name=mine&connect_timeout=9&options=";
    expect(parsePostgresAddress(data, env)).toMatchObject({
      applicationName: "mine",
      connectTimeoutMs: 9000,
      options: "-c search_path=x",
      tls: { mode: "disable", rootCertificateFile: "/ca.pem" },
    });
  });

  it("ignores empty values", () => {
    const empty = Object.fromEntries(Object.keys(env).map((name) => [name, ""]));
    expect(parsePostgresAddress("postgres://h/d", { ...empty, PGSERVICE: "" })).toEqual(
      parsePostgresAddress("postgres://h/d", {}),
    );
  });

  it("verifies host and authority with PGSSLROOTCERT=system, as libpq does", () => {
    expect(parsePostgresAddress("postgres://h/d", { PGSSLROOTCERT: "system" }).tls).toMatchObject({
      mode: "verify-full",
      rootCertificateFile: null,
    });
  });

  it.each(["prefer", "allow", "verify"])("is refused by name when PGSSLMODE is %s", (PGSSLMODE) => {
    expect(refusalOf("postgres://h/d", { PGSSLMODE })).toMatch(
      /^PGSSLMODE must be disable, require, verify-ca or verify-full; allow and prefer are not supported/,
    );
  });
});

describe("a service of libpq's service file", () => {
  const file = join(folder, "services.conf");
  const PGSERVICEFILE = file;
  writeFileSync(
    file,
    [
      "# services of the yard",
      "[yards]",
      "host=wrong.internal",
      "",
      "[yard]",
      "host=db.internal",
      "  port=6000  ",
      "dbname=dispatch",
      "user=clerk",
      "password=tops3cret",
      "sslmode=require",
      "sslmode=disable",
      "[broken]",
      "tops3cret",
      "[nested]",
      "service=yard",
      "[strange]",
      "krbsrvname=tops3cret",
      "[loose]",
      "sslmode=prefer",
    ].join("\r\n"),
  );

  it.each([
    ["postgres:///?service=yard", {}],
    ["postgres://", { PGSERVICE: "yard" }],
    ["postgres:///?service=yard", { PGSERVICE: "nested" }],
  ])("supplies the values that the address leaves out: %s %j", (data, env) => {
    expect(parsePostgresAddress(data, { ...env, PGSERVICEFILE })).toMatchObject({
      database: "dispatch",
      host: "db.internal",
      password: "tops3cret",
      port: 6000,
      tls: { mode: "require" },
      user: "clerk",
    });
  });

  it("is overridden by the address and overrides the environment", () => {
    const env = { PGSERVICEFILE, PGSSLMODE: "verify-full", PGAPPNAME: "yard" };
    const address = parsePostgresAddress("postgres://other@replica.internal/?service=yard&port=7", env);
    expect(address).toMatchObject({
      applicationName: "yard",
      database: "dispatch",
      host: "replica.internal",
      port: 7,
      tls: { mode: "require" },
      user: "other",
    });
    expect(address.shown).toBe("postgres://other@replica.internal/?service=yard&port=7");
  });

  it("is searched in ~/.pg_service.conf or PGSERVICEFILE, then in PGSYSCONFDIR", () => {
    const [home, system] = [join(folder, "home"), join(folder, "system")];
    for (const [place, name, host] of [
      [home, ".pg_service.conf", "home"],
      [system, "pg_service.conf", "system"],
    ] as const) {
      mkdirSync(place);
      writeFileSync(join(place, name), `[one]\nhost=${host}\n[${host}]\nhost=${host}\n`);
    }
    const env = { HOME: home, PGSYSCONFDIR: system };
    const hostOf = (name: string, more = {}) =>
      parsePostgresAddress(`postgres:///?service=${name}`, { ...env, ...more }).host;
    expect([hostOf("one"), hostOf("home"), hostOf("system")]).toEqual(["home", "home", "system"]);
    expect(hostOf("one", { PGSERVICEFILE })).toBe("system");
    expect(hostOf("yard", { PGSERVICEFILE })).toBe("db.internal");
  });

  it.each([
    ["unknown", 'The service "unknown" of PostgreSQL is not in'],
    ["broken", "Line 14 of "],
    ["nested", "names another service"],
    ["strange", 'has the unknown parameter "krbsrvname". Known parameters:'],
    ["loose", 'The parameter sslmode of the service "loose" in'],
  ])("is refused with its place and without its content when it is %s", (name, said) => {
    const message = refusalOf(`postgres:///?service=${name}`, { PGSERVICEFILE });
    expect(message).toContain(said);
    expect(message).toContain(file);
    expect(message).not.toContain("tops3cret");
  });

  it("is refused when the named file is missing or a folder", () => {
    const read = (place: string) => refusalOf("postgres:///?service=yard", { PGSERVICEFILE: place });
    expect(read(join(folder, "none"))).toMatch(/^The service file .*none cannot be read: ENOENT/);
    expect(read(folder)).toMatch(/cannot be read: EISDIR/);
  });
});
