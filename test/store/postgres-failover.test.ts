import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { makeStore } from "../../src/core/make-store.ts";
import { openService } from "../../src/core/open-service.ts";
import { setUpTenant } from "../../src/core/setup.ts";
import { startServer } from "../../src/http/serve.ts";
import { until } from "../support/eventually.ts";
import { runOnPostgres } from "../support/postgres-bridge.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { setUp } from "../support/tenants.ts";

/** Starts a proxy whose address moves from one server to another, as a DNS name or a virtual IP does. */
async function startWay(port: number) {
  let target = port;
  const open = new Set<Socket>();
  const wire = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const end of [near, far]) {
      open.add(end);
      end.on("error", () => undefined).on("close", () => near.destroy() && far.destroy());
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
  return {
    port: (wire.address() as AddressInfo).port,
    leadTo: (next: number) => {
      target = next;
    },
    cut: () => {
      for (const socket of open) socket.destroy();
    },
    close: () => void wire.close(),
  };
}

it("recovers when its address leads to another server, and has every change that it answered 200 to", async () => {
  const first = await startPostgres();
  onTestFinished(() => first.remove());
  const way = await startWay(Number(new URL(first.address).port));
  onTestFinished(() => way.close());
  const parts = { password: "own", port: String(way.port), username: "own" };
  const data = Object.assign(new URL(first.address), parts).href;
  const execute = (address: string, ...statements: string[]) =>
    runOnPostgres(
      address,
      statements.map((sql) => ({ sql })),
      true,
    );
  execute(first.address, "create role own login password 'own'", "alter database postgres owner to own");
  const token = await makeStore(data, async (service) => {
    const actor = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
    return (await setUp(service, actor, "tokens.create", { body: { username: "owner" } })).token;
  });
  const service = openService({ data });
  await service.store.database.check();
  const said: { check?: string; msg: string }[] = [];
  const log = { write: (line: string) => void said.push(JSON.parse(line)) };
  const options = { delivers: true, host: "127.0.0.1", log, logLevel: "warn", port: 0 };
  const server = await startServer(service, options);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "x-tenant-id": "1",
  };
  const answered: string[] = [];
  const statuses = new Set<number>();
  const create = async () => {
    const name = `Yard ${service.makeUuid()}`;
    const sent = { body: JSON.stringify({ name }), headers, method: "POST" };
    const { status } = await fetch(`${server.url}/locations`, sent);
    statuses.add(status);
    if (status === 200) answered.push(name);
  };
  let isOver = false;
  const clients = Array.from({ length: 3 }, async () => {
    while (!isOver) await create();
  });
  const untilMore = () => {
    const before = answered.length;
    return until(() => answered.length >= before + 10);
  };
  const readiness = async () => (await fetch(`${server.url}/readyz`)).json() as Promise<{ reason?: string }>;
  await untilMore();
  await until(() => service.store.database.hints.isListening());

  await first.stop();
  const second = await first.startCopy();
  onTestFinished(() => second.remove());
  // The new server is a standby at first: it accepts only reads.
  execute(second.address, "alter database postgres set default_transaction_read_only = on");
  way.leadTo(Number(new URL(second.address).port));
  way.cut();
  await until(async () => /read-only, perhaps a standby/.test((await readiness()).reason ?? ""));
  execute(
    second.address,
    "set default_transaction_read_only = off",
    "alter database postgres reset default_transaction_read_only",
  );
  await until(async () => (await readiness()).reason === undefined);
  await untilMore();
  await until(() => service.store.database.hints.isListening());
  isOver = true;
  await Promise.all(clients);
  await server.close();
  await service.store.close();

  expect([...statuses].toSorted()).toEqual([200, 503]);
  const [rows = []] = execute(second.address, "select name from locations");
  const stored = new Set(rows.map(({ name }) => name));
  expect(answered.filter((name) => !stored.has(name))).toEqual([]);
  expect(stored.size).toBe(rows.length);
  const told = said.filter(({ msg }) => /relied on|works again/.test(msg));
  expect(told[0]).toMatchObject({ check: "write", msg: "the store cannot be relied on" });
  expect(told.at(-1)).toMatchObject({ msg: "the store works again" });
});
