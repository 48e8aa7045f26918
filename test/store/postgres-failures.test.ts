import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { diagnosePostgres } from "../../src/cli/doctor/diagnose-store.ts";
import { makeStore } from "../../src/core/make-store.ts";
import { openService } from "../../src/core/open-service.ts";
import { setUpTenant } from "../../src/core/setup.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { TenantStore } from "../../src/store/tenant-store.ts";
import { until } from "../support/eventually.ts";
import type { WireAnswer } from "../support/http-client.ts";
import { runOnPostgres } from "../support/postgres-bridge.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { setUp } from "../support/tenants.ts";
import { transports } from "../support/transports.ts";

/** These tests have their own server, because a failing one would break other tests. */
describe("a server whose PostgreSQL fails", () => {
  let postgres: PostgresServer;
  /** The program's user owns the database and is not a superuser. */
  let owner: string;
  let headers: Record<string, string>;
  const tenantId = 1;

  beforeAll(async () => {
    postgres = await startPostgres();
    owner = Object.assign(new URL(postgres.address), { password: "own", username: "own" }).href;
    execute("create role own login password 'own'", "alter database postgres owner to own");
    headers = await makeStore(owner, async (service) => {
      const actor = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
      const token = await setUp(service, actor, "tokens.create", { body: { username: "owner" } });
      return { authorization: `Bearer ${token.token}`, "x-tenant-id": String(tenantId) };
    });
  });
  afterAll(() => postgres.remove());

  const execute = (...statements: string[]) =>
    void runOnPostgres(
      postgres.address,
      statements.map((sql) => ({ sql })),
      true,
    );

  const makeWritable = [
    "set default_transaction_read_only = off",
    "alter database postgres reset default_transaction_read_only",
  ];

  /** Starts a server whose database URL has these parameters. */
  async function serve(parameters = "") {
    const service = openService({ data: `${owner}${parameters}` });
    // As `serve` does before it listens: errors name the address only while the store opens.
    await service.store.database.check();
    const transport = await transports.find(({ name }) => name === "HTTP")?.open(service);
    const http = transport?.http;
    if (!transport || !http) throw new Error("There is no server.");
    onTestFinished(async () => {
      await transport.close();
      await service.store.close();
      expect(transport.faults).toEqual([]);
    });
    return {
      service,
      ready: () => http.send({ path: "/readyz" }),
      list: () => http.send({ headers, path: "/locations" }),
      create: () => {
        const body = JSON.stringify({ name: `Yard ${service.makeUuid()}` });
        const sent = { ...headers, "content-type": "application/json" };
        return http.send({ body, headers: sent, method: "POST", path: "/locations" });
      },
    };
  }

  function expectUnavailable({ headers: answered, status, text }: WireAnswer, reason: RegExp) {
    expect([status, answered["retry-after"], JSON.parse(text).code]).toEqual([503, "1", "store_unavailable"]);
    expect(text).toMatch(reason);
    // Callers must not learn the address or the users of the database.
    expect(text).not.toMatch(/127\.0\.0\.1|secret|postgres:/);
  }

  async function untilReady(ready: () => Promise<WireAnswer>): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if ((await ready()).status === 200) return;
      await setTimeout(50);
    }
    throw new Error("The server did not recover.");
  }

  it("answers 503 while the database is down, and recovers without a restart", async () => {
    const server = await serve();
    expect((await server.create()).status).toBe(200);
    await postgres.stop();
    expectUnavailable(await server.create(), /No database answers there|connection to the database broke/);
    expectUnavailable(await server.list(), /No database answers there/);
    const { status, text } = await server.ready();
    expect([status, JSON.parse(text)]).toEqual([
      503,
      {
        check: "write",
        reason: expect.stringMatching(/No database answers there|connection to the database broke/),
        status: "not ready",
      },
    ]);
    await postgres.start();
    await untilReady(server.ready);
    expect((await server.create()).status).toBe(200);
    expect(JSON.parse((await server.list()).text).total_count).toBe(2);
  });

  it("answers 503 to writes while the database is read-only, and answers reads", async () => {
    execute("alter database postgres set default_transaction_read_only = on");
    try {
      const server = await serve();
      expectUnavailable(await server.create(), /The database is read-only/);
      expect((await server.list()).status).toBe(200);
      const { status, text } = await server.ready();
      expect([status, text]).toEqual([503, expect.stringContaining("The database is read-only")]);
      execute(...makeWritable);
      // Older connections are still read-only. The pool drops each one that fails.
      let answer = await server.create();
      for (let tries = 0; tries < 3 && answer.status !== 200; tries++) answer = await server.create();
      expect(answer.status).toBe(200);
    } finally {
      execute(...makeWritable);
    }
  });

  it("answers 503 when all connections are in use for too long", async () => {
    const server = await serve("?pool_max=1&connect_timeout=1");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holder = server.service.store.read({ tenantId, rowScopes: wholeTenant }, () => held);
    expectUnavailable(await server.list(), /All connections to the database are in use/);
    release();
    await holder;
    expect((await server.list()).status).toBe(200);
  });

  it("answers 503 when the database has no connection left, and doctor suggests a fix", async () => {
    execute("create role few login password 'few' connection limit 0");
    const { hostname, port } = new URL(postgres.address);
    const data = `postgres://few:few@${hostname}:${port}/postgres`;
    const service = openService({ data });
    await expect(service.store.database.check()).rejects.toMatchObject({ code: "store_unavailable" });
    await service.store.close();
    const [finding] = await diagnosePostgres(data, systemClock.now(), "pages");
    expect(finding?.fix).toContain("connection limit");
  });

  it("answers 503 to a statement that takes too long", async () => {
    const server = await serve("?statement_timeout=300");
    const lock = "begin; lock table locations in exclusive mode";
    runOnPostgres(postgres.address, [{ sql: lock }]);
    try {
      expectUnavailable(await server.create(), /did not answer in time/);
    } finally {
      execute("rollback");
    }
    expect((await server.create()).status).toBe(200);
  });

  it("waits once and not twice for a database that stops answering", async () => {
    const { hostname, port } = new URL(owner);
    let isSilent = false;
    const wire = createServer((near) => {
      const far = connect(Number(port), hostname);
      near.on("data", (bytes) => isSilent || far.write(bytes));
      far.on("data", (bytes) => isSilent || near.write(bytes));
      for (const end of [near, far])
        end.on("error", () => undefined).on("close", () => near.destroy() && far.destroy());
    });
    await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void wire.close());
    const address = new URL(owner);
    address.port = String((wire.address() as AddressInfo).port);
    const { store } = openService({ data: `${address}?statement_timeout=300` });
    const scope = { tenantId, rowScopes: wholeTenant };
    const count = ({ dueDeliveries }: TenantStore) => dueDeliveries.countPending(0);
    expect(await store.write(scope, count)).toBe(0);
    isSilent = true;
    const askedMs = performance.now();
    await expect(store.write(scope, count)).rejects.toMatchObject({ code: "store_unavailable" });
    // The limit is five seconds above the statement's own time.
    expect(performance.now() - askedMs).toBeLessThan(9000);
    isSilent = false;
    expect(await store.write(scope, count)).toBe(0);
    await store.close();
  });

  it("is not ready while row-level security is not in force, and suggests a fix", async () => {
    const server = await serve();
    const check = async () => {
      // The server checks at most once a second.
      const { status, text } = await until(async () => {
        const answer = await server.ready();
        return (answer.status === 200) === isHeld ? answer : null;
      }, 100);
      return status === 200 ? null : JSON.parse(text);
    };
    let isHeld = true;
    for (const [open, shut, sentence] of [
      ["alter role own superuser", "alter role own nosuperuser", /is a superuser.*Use another user/],
      ["alter role own bypassrls", "alter role own nobypassrls", /may bypass row-level security/],
      [
        "alter table jobs no force row level security",
        "alter table jobs force row level security",
        /not in force on jobs/,
      ],
      [
        "alter policy tenant_wall on trucks rename to gone",
        "alter policy gone on trucks rename to tenant_wall",
        /not in force on trucks/,
      ],
    ] as const) {
      execute(open);
      isHeld = false;
      const reason = expect.stringMatching(sentence);
      expect(await check()).toEqual({ check: "row_level_security", reason, status: "not ready" });
      execute(shut);
      isHeld = true;
      expect(await check()).toBeNull();
    }
    // A developer's own server may lack row-level security.
    const content = openService({ data: `${postgres.address}?row_level_security=optional` });
    expect(await content.store.database.check()).toEqual([expect.stringMatching(/is a superuser/)]);
    expect(content.store.database.fault()).toBeNull();
    await content.store.close();
  });

  it("prepares its statements again when a newer program changes a table", async () => {
    const server = await serve("?pool_max=1");
    for (let times = 0; times < 4; times++) expect((await server.list()).status).toBe(200);
    execute("alter table locations add column later text");
    expect((await server.list()).status).toBe(200);
    execute("alter table locations drop column later");
  });
});
