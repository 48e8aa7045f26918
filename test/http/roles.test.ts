import { describe, expect, it } from "vitest";
import { loadOperations } from "../../src/operations/index.ts";
import { roleTable, toUnusedPath } from "../support/role-table.ts";
import { describeOverHttp } from "../support/targets.ts";

describe("the table of operations", () => {
  it("has every operation of the server, and no other", async () => {
    const served = (await loadOperations()).map(({ name, method, path }) => `${name}: ${method} ${path}`);
    const written = roleTable.map(({ name, method, path }) => `${name}: ${method} ${path}`);
    expect(served.toSorted()).toEqual(written.toSorted());
  });
});

const forRoles = roleTable.filter(({ roles }) => roles.length > 0);

describeOverHttp("roles (interface: Authentication, 3)", (bed) => {
  it.each(forRoles)("$name is allowed to $roles and to no other role", async ({ method, path, roles }) => {
    const { callers } = bed.acme;
    const allowed = [];
    for (const [role, caller] of Object.entries(callers)) {
      // Whatever else is wrong with the request, its role is judged first (OP-18).
      const { status, text } = await bed.send({
        method,
        path: toUnusedPath(path),
        headers: bed.headersOf(caller),
      });
      expect(status).not.toBe(401);
      if (status !== 403) allowed.push(role);
      else
        expect(JSON.parse(text)).toMatchObject({
          code: "role_not_allowed",
          detail: expect.stringContaining(role),
        });
    }
    expect(allowed).toEqual(roles);
  });

  it.each(forRoles)("$name is refused to a caller whose token has no allowed role (OP-54)", async (row) => {
    const { method, path, roles } = row;
    const everyRole = Object.keys(bed.acme.callers);
    const others = everyRole.filter((role) => !roles.some((allowed) => allowed === role));
    const send = async (tokenRoles: readonly string[]) => {
      const caller = await bed.addCaller({ roles: everyRole }, { roles: tokenRoles });
      return (await bed.send({ method, path: toUnusedPath(path), headers: bed.headersOf(caller) })).status;
    };
    if (others.length > 0) expect(await send(others)).toBe(403);
    expect(await send([...others, ...roles.slice(0, 1)])).not.toBe(403);
  });
});
