import { describe, expect, it } from "vitest";
import type { Operation } from "../../src/core/operation.ts";
import { id } from "../../src/models/fields.ts";
import { defineModel } from "../../src/models/model.ts";
import { findMistakes, loadOperations } from "../../src/operations/index.ts";

const sound: Operation = {
  name: "things.get",
  summary: "Show a thing",
  route: "GET /things/{thing_id}",
  params: { thing_id: id() },
  query: {},
  body: null,
  output: defineModel("ThingModel", { id: id() }),
  allow: ["Admin"],
  changes: {},
  effect: "read",
  reads: {},
  run: async () => null,
};

describe("the list of operations", () => {
  it("contains no mistakes", async () => {
    expect(findMistakes(await loadOperations())).toEqual([]);
  });

  it.each<[string, Partial<Operation>, string]>([
    ["an undeclared path parameter", { params: {} }, "path parameter thing_id is not declared"],
    [
      "a parameter that is not in the path",
      { route: "GET /things" },
      "parameter thing_id is not in the path",
    ],
    ["a name that is not a noun and a verb", { name: "things" }, "the name is not <noun>.<verb>"],
    ["a body where none can be sent", { body: defineModel("BodyModel", {}) }, "GET takes no body"],
    ["a GET that writes", { effect: "write" }, "GET must not write, and nothing else must read"],
    [
      "a POST that reads",
      { route: "POST /things/{thing_id}" },
      "GET must not write, and nothing else must read",
    ],
    ["an operation without callers", { allow: [] }, "no role may call it"],
    [
      "an operation of the store that is served",
      { allow: "store" },
      "it is for stores only, and must not be served",
    ],
  ])("is refused for %s", (_what, change, problem) => {
    const wrong = { ...sound, ...change };
    expect(findMistakes([wrong])).toEqual([`${wrong.name}: ${problem}`]);
  });

  it("is refused for two operations with one route or one name, and reports all mistakes at once", () => {
    const wrong: Operation = { ...sound, allow: [] };
    expect(findMistakes([sound, wrong])).toEqual([
      "things.get: no role may call it",
      "things.get: GET /things/{thing_id} is taken by things.get",
      "things.get: things.get is taken by things.get",
    ]);
  });
});
