import { expect, it } from "vitest";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { hashPasswordsCheaply } from "../support/cheap-passwords.ts";
import { sqlite } from "../support/databases.ts";
import { describeFixture } from "../support/fixture.ts";
import { roleTable, versionsOf } from "../support/role-table.ts";
import { nameOf, toDryCall } from "../support/valid-call.ts";

hashPasswordsCheaply();

const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);

describeFixture("a success", (fixture) => {
  // The harness checks every answer against the OpenAPI document of its version: fields, formats, and key order.
  it.each(operations)("of $name has the documented shape at each version that has it", async (operation) => {
    const row = roleTable.find(({ name }) => name === operation.name);
    const versions = versionsOf(row ?? {});
    // The service computes older answers from the newest one, independent of the database.
    const { database } = fixture.harness;
    for (const version of database === sqlite ? apiVersions : [versions.at(-1) ?? newestVersion]) {
      const { status, body, file } = await fixture.harness.call(nameOf(operation), {
        ...toDryCall(operation, fixture),
        version,
      });
      if (!versions.includes(version)) {
        expect([version, status, body]).toMatchObject([version, 404, { code: "operation_ended" }]);
        continue;
      }
      expect([version, status, status === 200 ? null : body]).toEqual([version, 200, null]);
      if (body === undefined) expect(file.length).toBeGreaterThan(0);
      // An empty list shows nothing about its records' shape.
      else expect([version, entriesOf(body)]).not.toEqual([version, []]);
    }
  });

  it("equals its dry run, which stores nothing", async () => {
    const { harness } = fixture;
    const before = harness.store.contents();
    // A call to another server cannot be undone.
    for (const operation of operations.filter(({ effect }) => effect !== "call")) {
      const { status } = await harness.call(nameOf(operation), toDryCall(operation, fixture));
      expect([operation.name, status]).toEqual([operation.name, 200]);
    }
    expect(harness.store.contents()).toEqual(before);
  });
});

/** The records of a list, paged or not. Null for other answers. */
function entriesOf(body: unknown): unknown {
  if (Array.isArray(body)) return body;
  return typeof body === "object" && body !== null && "total_pages" in body && "results" in body
    ? body.results
    : null;
}
