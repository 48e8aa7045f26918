import { expect, it } from "vitest";
import { toExample } from "../../src/cli/operation-command/to-example.ts";
import { type AnyOperationName, loadOperation } from "../../src/operations/index.ts";

const exampleOf = async (name: AnyOperationName) =>
  toExample({ atLocation: null, operation: await loadOperation(name), presentation: {} });

it("builds an example with the id and the required options for an operation that declares none", async () => {
  expect(await exampleOf("trucks.get")).toBe("trucks get 1 --location 1");
  expect(await exampleOf("trucks.create")).toBe("trucks create --location 1 --name name");
  expect(await exampleOf("locations.list")).toBe("locations list");
});

it("adds --yes to an example that would ask", async () => {
  expect(await exampleOf("hooks.delete")).toBe("hooks delete 1 --yes");
});

it("returns null if a required option is an object", async () => {
  expect(await exampleOf("gps.record")).toBeNull();
});
