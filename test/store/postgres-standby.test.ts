import { expect, it, onTestFinished } from "vitest";
import { makeStore } from "../../src/core/make-store.ts";
import { openService } from "../../src/core/open-service.ts";
import { setUpTenant } from "../../src/core/setup.ts";
import { startServer } from "../../src/http/serve.ts";
import { runCommand } from "../support/command-line.ts";
import { eventually, until } from "../support/eventually.ts";
import { runOnPostgres } from "../support/postgres-bridge.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { startReceiver } from "../support/receiver.ts";
import { parseScrape, seriesValue } from "../support/scrape.ts";
import { openStream } from "../support/stream-client.ts";
import { setUp } from "../support/tenants.ts";

/** Serves a database, and calls the server. */
async function serve(data: string, token: string) {
  const service = openService({ data, allowsPrivateHooks: true });
  const log = { write: () => undefined };
  const metrics = { address: null, isLocal: true, tokens: () => null };
  const options = { delivers: true, host: "127.0.0.1", log, logLevel: "warn", metrics, port: 0 };
  const server = await startServer(service, options, process);
  onTestFinished(async () => {
    await server.close();
    await service.store.close();
  });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "x-tenant-id": "1",
  };
  const call = async (path: string, method = "GET", sent?: object) => {
    const body = sent ? { body: JSON.stringify(sent) } : {};
    const answer = await fetch(`${server.url}${path}`, { ...body, headers, method });
    const text = await answer.text();
    return { status: answer.status, text, body: text.startsWith("{") ? JSON.parse(text) : null };
  };
  return {
    call,
    check: async () => (await call("/readyz")).body?.check ?? "ready",
    lag: async () => seriesValue(parseScrape((await call("/metrics")).text), "dispatch_standby_lag_seconds"),
    stream: (after: string) => openStream(`${server.url}/stream`, { ...headers, "last-event-id": after }),
  };
}

it("answers reads from a standby, leaves the balancer while it lags, and takes changes after its promotion", async () => {
  const first = await startPostgres();
  onTestFinished(() => first.remove());
  const execute = (address: string, sql: string) => runOnPostgres(address, [{ sql }], true)[0] ?? [];
  execute(first.address, "create role own login password 'own'");
  execute(first.address, "alter database postgres owner to own");
  const toOwn = ({ address }: { address: string }) => address.replace("postgres:secret@", "own:own@");
  const token = await makeStore(toOwn(first), async (service) => {
    const actor = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
    return (await setUp(service, actor, "tokens.create", { body: { username: "owner" } })).token ?? "";
  });
  const second = await first.startStandby();
  onTestFinished(() => second.remove());
  const primary = await serve(toOwn(first), token);
  const standby = await serve(toOwn(second), token);
  const create = async (server: typeof primary, name: string) =>
    (await server.call("/locations/1/trucks", "POST", { name })).status;
  const arrived = (name: string) =>
    eventually(async () => expect((await standby.call("/trucks")).text).toContain(name));

  const receiver = await startReceiver();
  await primary.call("/locations", "POST", { name: "Main" });
  await primary.call("/hooks", "POST", { events: ["Truck"], url: receiver.url });
  expect(await create(primary, "Before")).toBe(200);
  await arrived("Before");
  const received = (name: string) => until(() => receiver.deliveries.some(({ body }) => body.includes(name)));
  await received("Before");
  const events = (await standby.call("/events?page_limit=1")).body.results;
  const stream = await standby.stream(events[0].id);
  expect(await create(primary, "Streamed")).toBe(200);
  expect((await stream.next()).body.data.name).toBe("Streamed");
  stream.close();
  for (const path of ["/locations/1/trucks/1", "/events", "/audit", "/search?q=Before", "/whoami"])
    expect([path, (await standby.call(path)).status]).toEqual([path, 200]);
  for (const words of ["export trucks", "report jobs --month last --output csv", "stats --tenant 1"]) {
    const { code, stderr } = await runCommand([...words.split(" "), "--data", toOwn(second)]);
    expect([words, code, stderr]).toEqual([words, 0, ""]);
  }
  expect(await standby.call("/locations/1/trucks", "POST", { name: "Refused" })).toMatchObject({
    status: 503,
    body: {
      code: "store_unavailable",
      detail: "The database is read-only, perhaps a standby: send changes to a server on the primary.",
    },
  });
  const move = ["tenants", "move", "1", "--to", toOwn(second), "--new-id", "2", "--without-tokens", "--yes"];
  const toStandby = await runCommand([...move, "--data", toOwn(first)]);
  expect(toStandby).toMatchObject({ code: 8, stderr: expect.stringContaining("perhaps a standby") });
  expect(await primary.check()).toBe("ready");
  expect(await standby.check()).toBe("standby");
  expect(await primary.lag()).toBe(null);
  await eventually(async () => expect(await standby.lag()).toBe(0));

  execute(second.address, "select pg_wal_replay_pause()");
  expect(await create(primary, "Late")).toBe(200);
  await until(async () => (await standby.check()) === "standby_lag");
  expect(await standby.lag()).toBeGreaterThan(5);
  expect((await standby.call("/trucks")).text).not.toContain("Late");
  execute(second.address, "select pg_wal_replay_resume()");
  await until(async () => (await standby.check()) === "standby");
  await arrived("Late");

  await first.stop();
  await until(async () => (await standby.check()) === "standby_lag");
  execute(second.address, "select pg_promote()");
  await until(async () => (await standby.check()) === "ready");
  expect(await standby.lag()).toBe(null);
  expect(await create(standby, "After")).toBe(200);
  await received("After");
});
