import { describe, expect, it } from "vitest";
import type { DispatchError } from "../../src/errors/errors.ts";
import {
  isPostgresAddress,
  parsePostgresAddress,
  toShownStore,
  withSchema,
} from "../../src/store/postgres/address.ts";

function refusalOf(data: string): DispatchError {
  try {
    parsePostgresAddress(data);
  } catch (error) {
    return error as DispatchError;
  }
  throw new Error(`${data} was taken.`);
}

describe("the address of a PostgreSQL store", () => {
  it.each(["postgres://h/d", "postgresql://h/d", "POSTGRES://h/d"])("is recognized: %s", (data) => {
    expect(isPostgresAddress(data)).toBe(true);
  });

  it.each(["dispatch.db", "/tmp/postgres", "postgres", "postgres:", "./postgres://x"])("is not %s", (data) =>
    expect(isPostgresAddress(data)).toBe(false),
  );

  it("has a host, a port, a database, a user and a password, each written with escapes where needed", () => {
    expect(parsePostgresAddress("postgresql://us%20er:p%40s%2Fs%23@db.example:6543/my%20db")).toMatchObject({
      database: "my db",
      host: "db.example",
      password: "p@s/s#",
      port: 6543,
      user: "us er",
    });
    expect(parsePostgresAddress("postgres://[::1]:1/d").host).toBe("::1");
  });

  it("leaves missing values to libpq's environment", () => {
    const { database, host, password, port, user } = parsePostgresAddress("postgres:///");
    expect([database, host, password, port, user]).toEqual(Array(5).fill(undefined));
  });

  it("accepts libpq's parameters and a few of its own", () => {
    const data =
      "postgres:///d?host=/run/pg&port=7&user=u&password=s&options=-c%20search_path%3Dx&connect_timeout=3&schema=yard_1&pool_max=4&statement_timeout=500";
    expect(parsePostgresAddress(data)).toMatchObject({
      connectTimeoutMs: 3000,
      host: "/run/pg",
      options: "-c search_path=x",
      password: "s",
      poolMax: 4,
      port: 7,
      schema: "yard_1",
      statementTimeoutMs: 500,
      user: "u",
    });
  });

  it.each([
    ["", "disable", null],
    ["sslmode=disable", "disable", null],
    ["sslmode=require", "require", null],
    ["sslmode=require&sslrootcert=/ca.pem", "verify-ca", "/ca.pem"],
    ["sslmode=verify-ca&sslrootcert=/ca.pem", "verify-ca", "/ca.pem"],
    ["sslmode=verify-full&sslrootcert=system", "verify-full", null],
    ["sslmode=verify-full", "verify-full", null],
  ])("with %s uses the TLS mode %s", (parameters, mode, rootCertificateFile) => {
    const { tls } = parsePostgresAddress(`postgres://h/d?${parameters}`);
    expect(tls).toMatchObject({ mode, rootCertificateFile });
  });

  it.each([
    ["postgres://h/d?sslmode=prefer", "sslmode"],
    ["postgres://h/d?ssl=true", '"ssl"'],
    ["postgres://h/d?pool_max=0", "pool_max"],
    ["postgres://h/d?pool_max=many", "pool_max"],
    ["postgres://h/d?pool_mode=statement", "pool_mode"],
    ["postgres://h/d?schema=x;drop", "schema"],
    ["postgres://h/d?schema=Yard", "schema"],
    ["postgres://h/d?connect_timeout=-1", "connect_timeout"],
    ["postgres://h:99999/d", "--data"],
    ["postgres://h/a/b", "--data"],
    ["postgres://u:p,w@h1:5432,h2:5433/d", "--data names several hosts. Use one that leads to the primary"],
    ["postgres://h1,h2/d", "--data names several hosts"],
    ["postgres:///d?host=h1,h2", "parameter host of the address in --data names several hosts"],
    ["postgres://h/d?target_session_attrs=read-write", "target_session_attrs, which needs several hosts"],
  ])("is refused when it is %s, by name", (data, named) => {
    const error = refusalOf(data);
    expect([error.code, error.message]).toEqual(["usage", expect.stringContaining(named)]);
  });

  it("accepts a password with a comma", () => {
    expect(parsePostgresAddress("postgres://u:p,w@h/d")).toMatchObject({ host: "h", password: "p,w" });
  });

  it("is shown without its password", () => {
    expect(toShownStore("postgres://u:tops3cret@h:1/d")).toBe("postgres://u@h:1/d");
    expect(toShownStore("postgresql://u@h/d?password=tops3cret&schema=s")).toBe("postgres://u@h/d?schema=s");
    expect(toShownStore("shop.db")).toBe("shop.db");
  });

  it.each([
    "postgres://u:tops3cret#x@h/d",
    "postgres://u:tops3cret/x@h/d",
    "postgres://u:tops3cret@x@h:no/d",
    "postgres://u:tops3cret%zz@h/d",
    "postgres://u:tops3cret?x@h/d",
    "postgres://u:1?tops3cret@h/d",
    "postgres://u:tops3cret@h/d?schema=BAD",
    "postgres://u:tops3cret@h/d?tops=1",
  ])("shows no part of a password that makes the address unreadable: %s", (data) => {
    expect(refusalOf(data).message).not.toContain("tops3cret");
    expect(toShownStore(data)).not.toContain("tops3cret");
  });

  it("gets another schema and keeps the rest", () => {
    const data = "postgres://u:p%40@h/d?schema=a&pool_max=3";
    expect(parsePostgresAddress(withSchema(data, "b"))).toEqual({
      ...parsePostgresAddress(data),
      schema: "b",
      shown: "postgres://u@h/d?schema=b&pool_max=3",
    });
  });
});
