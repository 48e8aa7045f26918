import { describe, expect, it } from "vitest";
import { compare as compareWrites } from "../../bench/chaos-check.js";
import { compareArrivals } from "../../bench/chaos-receiver.js";
import { compare, findUnanswered } from "../../bench/torture/neighbours.js";
import { createRandom, seedOf } from "../../bench/torture/random.js";
import { createJudge } from "../../bench/torture/requests/check.js";
import { judgeGrowth } from "../../bench/torture/soak.js";
import { judge } from "../../bench/torture/sockets.js";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";

// What never fails proves nothing: each check of the torture is given something wrong here.

const version = "2023/04/19";
const document = toOpenapi(await loadOperations(), version);
const getTruck = {
  name: "trucks.list",
  responses: document.paths["/locations/{location_id}/trucks"]?.get?.responses,
  roles: ["Dispatcher"],
};
const documents = new Map([[version, { document, operations: new Map([["trucks.list", getTruck]]) }]]);
const judgeAnswer = createJudge(documents, ["alphazqx", "bravozqx"]);

const request = {
  operation: "trucks.list",
  isAsDeclared: true,
  method: "GET",
  marker: "alphazqx",
  roles: ["Dispatcher"],
};
const list = { current_limit: 100, current_page: 1, results: [], total_count: 0, total_pages: 0 };
const headers = {
  "access-control-allow-origin": "*",
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "x-api-version": version,
  "x-request-id": "3b8f7c1e-52d4-4f0a-9c55-0d7f7e0f9a11",
};

function judged(
  changes: { status?: number; body?: unknown; headers?: object },
  asked: object = {},
): string[] {
  const answer = {
    status: changes.status ?? 200,
    headers: { ...headers, ...changes.headers },
    body: Buffer.from(JSON.stringify(changes.body ?? list)),
  };
  return judgeAnswer({ ...request, ...asked }, answer);
}

const refusal = (status: number, code: string) => ({
  code,
  detail: "No.",
  errors: [{ code, detail: "No.", field: null, see: null }],
  explanation: "Never.",
  field: null,
  request_id: headers["x-request-id"],
  see: null,
  status,
  title: "No",
});

describe("the judge of answers to generated requests", () => {
  it("finds nothing wrong with an answer as documented", () => {
    expect(judged({})).toEqual([]);
    expect(judged({ status: 404, body: refusal(404, "record_not_found") })).toEqual([]);
  });

  it.each([
    ["a field that is missing", { body: { ...list, results: undefined } }, /required property 'results'/],
    ["a field that the document does not list", { body: { ...list, debug: 1 } }, /additional properties/],
    ["a value of the wrong type", { body: { ...list, total_count: "0" } }, /total_count must be/],
    ["a fault", { status: 500, body: refusal(500, "internal") }, /fault of the server/],
    ["a status that the operation does not list", { status: 409, body: refusal(409, "x") }, /lists no/],
    [
      "a code that the status does not have",
      { status: 404, body: refusal(404, "internal") },
      /with the code/,
    ],
    ["a body that tells another status", { status: 404, body: refusal(400, "record_not_found") }, /tells/],
    ["another tenant's record", { body: { ...list, results: ["of bravozqx"] } }, /shows bravozqx/],
    ["another tenant's record in a header", { headers: { link: "</x?n=BravoZqx>" } }, /shows bravozqx/],
    ["how the program is made", { body: { ...list, results: ["SQLITE_BUSY"] } }, /shows its inside/],
    [
      "that a browser may guess the type",
      { headers: { "x-content-type-options": "" } },
      /content-type-options/,
    ],
    ["no id of the request", { headers: { "x-request-id": "" } }, /x-request-id/],
    ["503 that does not say when", { status: 503, body: refusal(503, "shutting_down") }, /retry-after/],
    ["another type", { headers: { "content-type": "text/html" } }, /with the type text\/html/],
  ])("tells %s", (_, answer, problem) => {
    expect(judged(answer).join("\n")).toMatch(problem);
  });

  it("tells what was done for a role that the operation does not admit", () => {
    expect(judged({}, { roles: ["Driver"] })).toEqual(["done for Driver, whom trucks.list does not admit"]);
  });

  it("tells a request without an answer", () => {
    expect(judgeAnswer(request, { status: null, problem: "no answer within 10 s" })).toEqual([
      "no answer within 10 s",
    ]);
  });
});

describe("the other checks of the torture", () => {
  it("tell a socket more answers than requests, the answer to what was smuggled, and a fault", () => {
    const form = { most: 1, statuses: [400] };
    expect(judge(form, "HTTP/1.1 400 Bad Request\r\n\r\n")).toEqual([]);
    expect(judge(form, "HTTP/1.1 400 x\r\n\r\nHTTP/1.1 400 x\r\n\r\n")).toHaveLength(1);
    expect(judge(form, "HTTP/1.1 200 OK\r\n\r\n")).toEqual(["answered with 200, not 400"]);
    expect(judge(form, "HTTP/1.1 500 x\r\n\r\n")).toEqual(["answered with 500"]);
  });

  it("tell a neighbour that takes too long, and one that is not answered", () => {
    const alone = { reads: [1, 1, 2], writes: [2, 2, 3], health: [1] };
    expect(compare(alone, { reads: [2, 2, 4], writes: [3, 3, 6], health: [50] })).toEqual([]);
    expect(compare(alone, { reads: [3, 3, 11], writes: [3, 3, 6], health: [51] })).toHaveLength(3);
    expect(findUnanswered({ unanswered: [503, 503] })).toHaveLength(1);
  });

  it("tell memory and handles that grow", () => {
    const steady = Array.from({ length: 21 }, () => ({ memory: 100, handles: 20 }));
    const grown = steady.map((one, index) => ({ memory: one.memory + index * 10, handles: 20 + index * 3 }));
    expect(judgeGrowth(steady, false)).toEqual([]);
    expect(judgeGrowth(grown, false)).toHaveLength(2);
    expect(judgeGrowth(grown, true)).toHaveLength(1);
  });

  it("tell an acknowledged write that is not stored, and one that nobody asked for", () => {
    const write = { operation: "jobs.create", marker: "m", recordId: 7, requestId: "r", status: 200 };
    const nothing = { audit: [], events: [], deliveries: [], jobs: [], customers: [] };
    expect(compareWrites([write], nothing).wrongs[0]).toContain("acknowledged, and written 0 times");
    const row = { id: 1, action: "created", after: '{"dispatcher_notes":"m"}', before: null, moment: "t" };
    const audit = [{ ...row, operation: "jobs.create", record_id: 7, record_type: "Job", request_id: "r" }];
    expect(compareWrites([], { ...nothing, audit }).wrongs).toEqual(
      expect.arrayContaining([
        expect.stringContaining("nobody asked for it"),
        expect.stringContaining("no event"),
      ]),
    );
  });

  it("tell a delivery that never came, and one that came before its turn", () => {
    const events = [1, 2].map((id) => ({ id, uuid: `u${id}`, kind: "Job", record_id: 5 }));
    const arrived = (...ids: string[]) => ids.map((id) => ({ id, isTaken: true, type: "Job" }));
    expect(compareArrivals(events, arrived("u1", "u2"))).toEqual([]);
    expect(compareArrivals(events, arrived("u1"))).toEqual(["event 2 (Job 5) was never delivered"]);
    expect(compareArrivals(events, arrived("u2", "u1"))).toHaveLength(1);
  });
});

describe("the seed of a round", () => {
  it("gives the same chance again, and each round its own", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).next);
    expect(draw(seedOf(1, 2))).toEqual(draw(seedOf(1, 2)));
    expect(draw(seedOf(1, 2))).not.toEqual(draw(seedOf(1, 3)));
  });
});
