import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { authenticate, toTenantActor } from "../../src/core/tokens.ts";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let stores = 0;
let data: string;

const run = (...words: string[]) => runCommand(words, { env: { DISPATCH_DATA: data } });

async function ok(...words: string[]) {
  const { code, stdout, stderr } = await run(...words, "-o", "json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

beforeEach(async () => {
  stores += 1;
  data = join(folder, `store-${stores}.db`);
  await ok("init", "--tenant", "Acme");
});

describe("tenants create", () => {
  it("creates a tenant whose owner can work in it at once", async () => {
    const tenant = await ok("tenants", "create", "--name", "Globex 株式会社");
    expect(tenant).toEqual({
      address: null,
      city: null,
      code: null,
      deletes_on: null,
      frozen_reason: null,
      created_on: expect.any(String),
      email: null,
      id: 2,
      is_active: true,
      moved_to: null,
      name: "Globex 株式会社",
      owner: "owner",
      paper: "letter",
      phone: null,
      state: null,
      time_zone: "UTC",
      truck_limit: null,
      zip: null,
    });
    const location = await ok("locations", "create", "--tenant", "2", "--name", "Yard");
    expect(location.name).toBe("Yard");
    const me = await ok("whoami", "--tenant", "2");
    expect(me).toMatchObject({
      roles: ["Admin", "Dispatcher"],
      tenant_name: "Globex 株式会社",
      user: "owner",
    });
  });

  it("explains to people how to work in it, and prints nothing extra for programs", async () => {
    const made = await run("tenants", "create", "--name", "Globex");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("Work in it with --tenant 2.")]);
    const dry = await run("tenants", "create", "--name", "Initech", "--dry-run");
    expect(dry.stderr).not.toContain("--tenant");
    await ok("tenants", "create", "--name", "Initech");
  });

  it("accepts every writable field of a tenant", async () => {
    const fields = {
      address: "1 Main St",
      city: "Łódź",
      code: "GLX",
      email: "office@globex.example",
      name: "Globex",
      owner: "gus",
      paper: "a4",
      phone: "+4822123456",
      state: "PL",
      zip: "90-001",
    };
    const words = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]);
    const tenant = await ok("tenants", "create", ...words, "--truck-limit", "0", "--is-active", "false");
    expect(tenant).toMatchObject({ ...fields, is_active: false, truck_limit: 0 });
  });

  it("creates a person who owns two tenants, if the uid of an existing user is given", async () => {
    const { results } = await ok("users", "list", "--location", "1");
    await ok("tenants", "create", "--name", "Second", "--owner-uid", results[0].uid.toUpperCase());
    await ok("tenants", "create", "--name", "Somebody's");
    const reached = await ok("tenants", "list", "--tenant", "1");
    expect(reached.results.map(({ name }: { name: string }) => name)).toEqual(["Acme", "Second"]);
    const nobody = "00000000-0000-4000-8000-000000000000";
    const { code, stderr } = await run("tenants", "create", "--name", "Third", "--owner-uid", nobody);
    expect([code, stderr]).toEqual([2, expect.stringContaining("no user has the uid")]);
  });

  it("refuses a code that another tenant has, in any case, with exit code 6", async () => {
    await ok("tenants", "create", "--name", "Globex", "--code", "Grün");
    const { code, stdout, stderr } = await run("tenants", "create", "--name", "Other", "--code", "GRÜN");
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toContain("Tenant 2 (Globex) has the code Grün already.");
  });

  it("names the invalid fields, and creates nothing", async () => {
    const { code, stderr } = await run("tenants", "create", "--name", "", "--paper", "a5");
    expect(code).toBe(2);
    expect(stderr).toContain("name must have 1 to 64 characters");
    expect(stderr).toContain("paper must be one of letter, a4");
    expect((await run("whoami")).code).toBe(0);
  });

  it("creates nothing in a dry run", async () => {
    const { code, stdout } = await run("tenants", "create", "--name", "Globex", "--dry-run", "-o", "json");
    expect([code, JSON.parse(stdout).id]).toEqual([0, 2]);
    // With a second tenant, whoami would require --tenant.
    expect((await run("whoami")).code).toBe(0);
  });
});

describe("tenants update", () => {
  it("changes only the given fields; null clears a field", async () => {
    const before = await ok("tenants", "update", "1", "--code", "ACME", "--truck-limit", "5");
    expect(before).toMatchObject({ code: "ACME", name: "Acme", owner: "owner", truck_limit: 5 });
    const after = await ok("tenants", "update", "1", "--truck-limit", "null", "--paper", "a4");
    expect(after).toEqual({ ...before, paper: "a4", truck_limit: null });
    expect((await ok("tenants", "list")).results).toMatchObject([{ code: "ACME", truck_limit: null }]);
  });

  it("lets a tenant keep its own code, and refuses the code of another tenant with exit code 6", async () => {
    await ok("tenants", "create", "--name", "Globex", "--code", "GLX");
    await ok("tenants", "update", "2", "--code", "glx");
    expect((await run("tenants", "update", "1", "--code", "Glx")).code).toBe(6);
  });

  it("blocks the tokens of an inactive tenant until it is active again", async () => {
    const { token } = await ok("tokens", "create", "--username", "owner");
    const service = openService({ data });
    const reach = async () =>
      toTenantActor(service, await authenticate(service, `Bearer ${token}`), 1).then(
        () => "reached",
        (error) => error.code,
      );
    expect(await reach()).toBe("reached");
    await ok("tenants", "update", "1", "--is-active", "false");
    expect(await reach()).toBe("tenant_not_accessible");
    await ok("tenants", "update", "1", "--is-active", "true");
    expect(await reach()).toBe("reached");
    await service.store.close();
  });

  it("reports an unknown tenant, with exit code 5", async () => {
    const { code, stderr } = await run("tenants", "update", "9", "--name", "X");
    expect([code, stderr]).toEqual([5, expect.stringContaining("There is no tenant 9.")]);
  });
});

describe("commands that need a store", () => {
  it.each(["tenants create --name X", "tenants update 1 --name X"])(
    "refuse a server with exit code 2: %s",
    async (line) => {
      for (const env of [{ DISPATCH_URL: "http://127.0.0.1:9" }, {}]) {
        const words = [...line.split(" "), ...("DISPATCH_URL" in env ? [] : ["--url", "http://127.0.0.1:9"])];
        const { code, stdout, stderr } = await runCommand(words, { env });
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain("This works on a store only, never over HTTP");
      }
    },
  );
});
