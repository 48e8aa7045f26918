import { beforeAll, expect, it } from "vitest";
import { roles as everyRole } from "../../src/models/user.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOnSqlite } from "../support/fixture.ts";
import { roleTable, toUnusedPath, unknownId } from "../support/role-table.ts";
import { describeOverHttp } from "../support/targets.ts";
import { nameOf, toValidCall } from "../support/valid-call.ts";

const operations = await loadOperations();
const declared = new Map(operations.map((operation) => [operation.name, operation]));
const withRoles = roleTable.filter(({ isPublic }) => !isPublic);
const newest = { "content-type": "application/json", "x-api-version": "2023/04/19" };

describeFixtureOnSqlite("roles (interface: Authentication, 3)", (fixture) => {
  let before: unknown;
  beforeAll(() => {
    before = fixture.harness.store.contents();
  });

  it.each(withRoles)("$name is allowed to $roles and to no other role", async ({ name, roles }) => {
    const operation = declared.get(name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const { harness } = fixture;
    const call = toValidCall(operation, fixture);
    const params = Object.fromEntries(Object.keys(operation.params).map((id) => [id, unknownId(id)]));
    const allowed = [];
    for (const as of everyRole) {
      // The service checks the role first, so an allowed caller gets the next error.
      const isAllowed = roles.includes(as);
      const attempt = isAllowed ? { as, params, version: call.version } : { ...call, as };
      const { status, body } = await harness.call(nameOf(operation), attempt as typeof call);
      expect([401, 500]).not.toContain(status);
      if (status !== 403) allowed.push(as);
      else expect(body).toMatchObject({ code: "role_not_allowed", detail: expect.stringContaining(as) });
    }
    expect(allowed).toEqual(roles);
  });

  it("are checked before anything is stored", () => {
    expect(fixture.harness.store.contents()).toEqual(before);
  });
});

describeOverHttp("a token with some roles of its user", (harness) => {
  it.each(withRoles)("calls $name only if one of them is allowed", async ({ method, path, roles }) => {
    const others = everyRole.filter((role) => !roles.includes(role));
    const send = async (tokenRoles: readonly string[]) => {
      const caller = await harness.addCaller({ roles: everyRole }, { roles: tokenRoles });
      return (await harness.send({ method, path: toUnusedPath(path), headers: harness.headersOf(caller) }))
        .status;
    };
    if (others.length > 0) expect(await send(others)).toBe(403);
    expect(await send([...others, ...roles.slice(0, 1)])).not.toBe(403);
  });
});

describeOverHttp("a request", (harness) => {
  let before: unknown;
  beforeAll(() => {
    before = harness.store.contents();
  });

  it.each(withRoles)("for $name without a token, or with an unknown one, answers 401", async (row) => {
    const { method, path } = row;
    const { authorization = "", ...tenant } = harness.headersOf("Dispatcher");
    const wrong = authorization.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
    for (const headers of [tenant, { ...tenant, authorization: wrong }]) {
      const answer = await harness.send({
        method,
        path: toUnusedPath(path),
        headers: { ...newest, ...headers },
      });
      expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "unauthenticated", status: 401 });
    }
  });

  it.each(roleTable)("for $name names a tenant, unless none is needed", async (row) => {
    const { isPublic, method, path, withoutTenant } = row;
    const { authorization = "" } = harness.headersOf("Admin");
    const headers = isPublic ? newest : { ...newest, authorization };
    const answer = await harness.send({ method, path: toUnusedPath(path), headers });
    const named = answer.text.startsWith("{") ? JSON.parse(answer.text).field : null;
    if (isPublic || withoutTenant) expect(named).not.toBe("x-tenant-id");
    else expect([answer.status, named]).toEqual([400, "x-tenant-id"]);
    expect(answer.status).not.toBe(401);
  });

  it("without a caller stores nothing", () => {
    expect(harness.store.contents()).toEqual(before);
  });
});
