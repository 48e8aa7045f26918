import { expect, it } from "vitest";
import { describeOverHttp, describeOverHttpOnEveryDatabase } from "../support/targets.ts";
import { setUp } from "../support/tenants.ts";

describeOverHttpOnEveryDatabase("an administrator who is bound to a location", (harness) => {
  const headers = async (): Promise<Record<string, string>> => {
    const { locationId, owner, tenantId } = harness.acme;
    const username = `bound-${harness.service.makeUuid()}`;
    await setUp(harness.service, owner, "users.create", {
      params: { location_id: locationId },
      body: { username, roles: ["Admin", "Dispatcher"], location_id: locationId },
    });
    const { token } = await setUp(harness.service, owner, "tokens.create", { body: { username } });
    return {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-tenant-id": String(tenantId),
    };
  };
  const send = async (method: string, path: string, body?: object) => {
    const sent = { method, path, headers: await headers() };
    const { status, text } = await harness.send(body ? { ...sent, body: JSON.stringify(body) } : sent);
    return { status, answer: JSON.parse(text) };
  };

  it.each([
    ["/tokens", { username: "owner", roles: ["Admin"] }],
    ["/hooks", { events: ["Job"], url: "https://example.com/hook" }],
    ["/locations", { name: "North" }],
  ])("cannot change the whole tenant: POST %s", async (path, body) => {
    const before = harness.store.rowCounts();
    const { status, answer } = await send("POST", path, body);
    expect([status, answer.code]).toEqual([403, "role_not_allowed"]);
    expect(harness.store.rowCounts()).toMatchObject({ hooks: before.hooks, locations: before.locations });
  });

  it.each(["/tokens", "/hooks"])("cannot see data of the whole tenant: GET %s", async (path) => {
    const { status, answer } = await send("GET", path);
    expect([status, answer.total_count]).toEqual([200, 0]);
  });

  it("creates users of its own location only", async () => {
    const path = `/locations/${harness.acme.locationId}/users`;
    const free = await send("POST", path, { username: "free", roles: ["Admin"] });
    expect([free.status, free.answer.field]).toEqual([403, "CreateUserModel.location_id"]);
    const own = await send("POST", path, {
      username: "own",
      roles: ["Driver"],
      location_id: harness.acme.locationId,
    });
    expect(own.status).toBe(200);
  });
});

describeOverHttpOnEveryDatabase("x-dry-run", (harness) => {
  const headersOf = (dryRun: string) => ({
    ...harness.headersOf("Dispatcher"),
    "content-type": "application/json",
    "x-dry-run": dryRun,
  });
  const send = (dryRun: string) =>
    harness.send({
      method: "POST",
      path: `/locations/${harness.acme.locationId}/trucks`,
      headers: headersOf(dryRun),
      body: JSON.stringify({ name: "Truck" }),
    });

  it.each(["true", "TRUE", "1"])("stores nothing for %s", async (dryRun) => {
    const before = harness.store.rowCounts();
    expect((await send(dryRun)).status).toBe(200);
    expect(harness.store.rowCounts()).toEqual(before);
  });

  it("is refused if it is not a Boolean, so that a typo never writes", async () => {
    const before = harness.store.rowCounts();
    const { status, text } = await send("yes");
    expect([status, JSON.parse(text).field]).toEqual([400, "x-dry-run"]);
    expect(harness.store.rowCounts()).toEqual(before);
  });
});

describeOverHttp("an expensive request", (harness) => {
  const create = async (body: object) => {
    const { status, text } = await harness.send({
      method: "POST",
      path: `/locations/${harness.acme.locationId}/customers`,
      headers: { ...harness.headersOf("Dispatcher"), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return {
      status,
      bytes: text.length,
      codes: JSON.parse(text).errors?.map(({ code }: { code: string }) => code),
    };
  };

  it("may have at most 250 contacts and 250 addresses", async () => {
    const contacts = (count: number) => Array.from({ length: count }, () => ({}));
    expect((await create({ name: "Few", addresses: [], contacts: contacts(250) })).status).toBe(200);
    expect(await create({ name: "Many", addresses: [], contacts: contacts(251) })).toMatchObject({
      status: 400,
      codes: ["too_many"],
    });
  });

  it("gets a short answer for a list of nine thousand invalid entries", async () => {
    const answer = await create({
      name: "x",
      addresses: Array.from({ length: 9_000 }, () => ({})),
      contacts: [],
    });
    expect(answer).toMatchObject({ status: 400, codes: ["too_many"] });
    expect(answer.bytes).toBeLessThan(2000);
  });
});
