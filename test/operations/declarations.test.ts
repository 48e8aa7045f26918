import { describe, expect, it } from "vitest";
import type { Operation } from "../../src/core/operation.ts";
import { id } from "../../src/models/fields.ts";
import { defineModel } from "../../src/models/model.ts";
import { findMistakes, loadOperations } from "../../src/operations/index.ts";

const sound: Operation = {
  name: "things.get",
  summary: "Show a thing",
  method: "GET",
  path: "/things/{thing_id}",
  params: { thing_id: id() },
  query: {},
  body: null,
  output: defineModel("ThingModel", { id: id() }),
  roles: ["Admin"],
  effect: "read",
  run: async () => null,
};

describe("the list of operations", () => {
  it("has no mistakes", async () => {
    expect(findMistakes(await loadOperations())).toEqual([]);
  });

  it.each<[string, Partial<Operation>, string]>([
    ["a path parameter that is not declared", { params: {} }, "path parameter thing_id is not declared"],
    ["a parameter that no path has", { path: "/things" }, "parameter thing_id does not stand in the path"],
    ["a name that is no noun and verb", { name: "things" }, "the name is not <noun>.<verb>"],
    ["a body where none can be sent", { body: defineModel("BodyModel", {}) }, "GET takes no body"],
    ["a GET that writes", { effect: "write" }, "GET must not write"],
    ["an operation that nobody may call", { roles: [] }, "no role may call it"],
    ["roles where anybody may call", { access: "public" }, "it has roles, and needs none"],
    [
      "an operation of the store that is served",
      { access: "store", roles: [] },
      "it is for stores only, and must not be served",
    ],
  ])("is refused for %s", (_what, change, problem) => {
    const wrong = { ...sound, ...change };
    expect(findMistakes([wrong])).toEqual([`${wrong.name}: ${problem}`]);
  });

  it("is refused for two operations on one route or of one name, all mistakes told at once", () => {
    const wrong: Operation = { ...sound, roles: [] };
    expect(findMistakes([sound, wrong])).toEqual([
      "things.get: no role may call it",
      "things.get: GET /things/{thing_id} is taken by things.get",
      "things.get: things.get is taken by things.get",
    ]);
  });
});
