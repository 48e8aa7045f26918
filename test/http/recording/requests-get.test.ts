import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUpTenant } from "../../../src/core/setup.ts";
import { makeOwnerToken } from "../../../src/http/local-client.ts";
import { openSandbox } from "../../../src/http/open-sandbox.ts";
import { startServer } from "../../../src/http/serve.ts";
import { startTestServer, type TestServer } from "../../../src/library/index.ts";
import { toSender } from "../../support/sandbox-client.ts";

let server: TestServer;
let send: ReturnType<typeof toSender>;

beforeAll(async () => {
  server = await startTestServer();
  send = toSender(server);
});

afterAll(() => server.close());

async function findListed(operation: string) {
  const { body } = await send("GET", "/requests");
  return body.results.findLast((request: { operation: string }) => request.operation === operation);
}

const inspect = async (operation: string) =>
  (await send("GET", `/requests/${(await findListed(operation)).request_id}`)).body;

describe("requests.get", () => {
  it("returns the content of a request, its answer, its changes and its events", async () => {
    const trucks = `/locations/${server.locationId}/trucks`;
    const made = await send("POST", trucks, { name: "Truck 9" });
    const listed = await findListed("trucks.create");
    expect(listed).toMatchObject({ code: null, is_recorded: true, tenant_id: server.tenantId });
    const shown = (await send("GET", `/requests/${listed.request_id.toUpperCase()}`)).body;
    const { is_recorded: _, ...facts } = listed;
    expect(shown).toMatchObject(facts);
    expect(shown.query).toBe("");
    expect(JSON.parse(shown.request.body)).toEqual({ name: "Truck 9" });
    expect(shown.request.headers).toMatchObject({ authorization: "***", "x-api-version": "2023/04/19" });
    expect(JSON.parse(shown.answer.body)).toEqual(made.body);
    expect(shown.answer.headers["x-request-id"]).toBe(listed.request_id);
    expect(shown.answer.body_bytes).toBeGreaterThan(0);
    expect(shown.audit).toMatchObject([
      { record_id: made.body.id, record_type: "Truck", request_id: listed.request_id },
    ]);
    expect(shown.events).toMatchObject([
      { data: { name: "Truck 9" }, record_id: made.body.id, type: "Truck" },
    ]);
    expect(shown.started_on <= shown.answered_on).toBe(true);
  });

  it("shows no secret of a body, a header or a query", async () => {
    const secret = Buffer.from("s3cret-of-the-webhook-0123456789").toString("base64");
    await send("POST", "/hooks", {
      api_version: "2023/04/19",
      events: ["Truck"],
      headers: { "x-receiver": "s3cret-header" },
      secret,
      url: "https://receiver.example/hooks",
    });
    const token = (await send("POST", "/tokens", { name: "other", username: "owner" })).body.token;
    await send("GET", "/jobs?access_token=s3cret-query", undefined, { cookie: "s3cret-cookie" });
    const shown = [await inspect("hooks.create"), await inspect("tokens.create"), await inspect("jobs.list")];
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 400]);
    const text = JSON.stringify(shown);
    for (const hidden of ["s3cret", secret, token, server.token]) expect(text).not.toContain(hidden);
    expect(shown[2].query).toContain("access_token=***");
  });

  it("explains why a body is left out", async () => {
    const post = (body: string) =>
      fetch(`${server.url}/locations/${server.locationId}/trucks`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${server.token}`,
          "content-type": "application/json",
          "x-api-version": "2023/04/19",
          "x-tenant-id": String(server.tenantId),
        },
        body,
      });
    const omitted = async () => (await inspect("trucks.create")).request.body_omitted;
    await post(JSON.stringify({ name: "x".repeat(70_000) }));
    expect(await omitted()).toBe("too_long");
    await post("{name: s3cret}");
    expect(await omitted()).toBe("not_json");
    await post(JSON.stringify({ name: "x".repeat(1_100_000) }));
    expect(await omitted()).toBe("not_read");
  });

  it("omits its own requests from the list and the recording", async () => {
    await inspect("hooks.create");
    const { body } = await send("GET", "/requests");
    const operations = new Set(body.results.map(({ operation }: { operation: string }) => operation));
    expect(operations).not.toContain("requests.get");
    const archive = await send("GET", "/sandbox/requests.har");
    const paths = archive.body.log.entries.map(({ request }: { request: { url: string } }) => request.url);
    expect(paths.filter((url: string) => /\/requests(\/|$)/.test(url))).toEqual([]);
  });

  it("is for Admins of the whole tenant, and returns only requests of their tenant", async () => {
    const { service, ...own } = await openSandbox({ demo: false, tokenName: "own" });
    const running = await startServer(service, serveOptions);
    const sendOwn = toSender({ ...own, url: running.url });
    const user = await sendOwn("POST", `/locations/${own.locationId}/users`, {
      location_id: own.locationId,
      roles: ["Admin"],
      username: "bound",
    });
    const known = user.headers.get("x-request-id");
    const uid = service.makeUuid();
    const other = (await setUpTenant(service, "Globex", { username: "other", uid })).scope.tenantId;
    const otherToken = await makeOwnerToken(service, other, "other");
    const sendOther = toSender({ tenantId: other, token: otherToken, url: running.url });
    const bound = (await sendOwn("POST", "/tokens", { name: "bound", username: "bound" })).body.token;
    const dispatcher = (
      await sendOwn("POST", "/tokens", { name: "driver", roles: ["Dispatcher"], username: "owner" })
    ).body.token;
    const ask = async (sender: typeof send, token?: string) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      const { body, status } = await sender("GET", `/requests/${known}`, undefined, headers);
      return [status, body.code ?? null];
    };
    expect([user.status, user.body.code]).toEqual([200, undefined]);
    expect(await ask(sendOwn)).toEqual([200, null]);
    expect(await ask(sendOther)).toEqual([404, "record_not_found"]);
    expect(await ask(sendOwn, bound)).toEqual([403, "role_not_allowed"]);
    expect(await ask(sendOwn, dispatcher)).toEqual([403, "role_not_allowed"]);
    await running.close(0);
    await service.store.close();
  });
});

const serveOptions = {
  delivers: false,
  host: "127.0.0.1",
  log: { write: () => undefined },
  logLevel: "silent",
  port: 0,
};
