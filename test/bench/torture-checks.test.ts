import { describe, expect, it } from "vitest";
import { compare as compareWrites } from "../../bench/chaos-check.js";
import { compareArrivals } from "../../bench/chaos-receiver.js";
import {
  judgeAnswers,
  judgeFullDisk,
  judgeRefusedBackup,
  judgeStored,
} from "../../bench/torture/disks/judge.js";
import { findFlooded } from "../../bench/torture/floods.js";
import {
  judgeAcknowledged,
  judgeCopy,
  judgeForms,
  judgeInit,
  judgeIntegrity,
  judgeMove,
  judgePlainText,
  judgeSecrets,
  judgeTrucks,
} from "../../bench/torture/kills/judge.js";
import { findOrphans } from "../../bench/torture/kills/servers.js";
import { compare, findUnanswered } from "../../bench/torture/neighbors.js";
import { createRandom, seedOf } from "../../bench/torture/random.js";
import { createJudge } from "../../bench/torture/requests/check.js";
import { describeHolds } from "../../bench/torture/requests/holds.js";
import { judgeGrowth } from "../../bench/torture/soak.js";
import { judgeDrips } from "../../bench/torture/sockets/drips.js";
import { judge } from "../../bench/torture/sockets.js";
import { findIll, mustRun } from "../../bench/torture/stores.js";
import { toLines } from "../../bench/torture/table.js";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";

// A check that never fails proves nothing, so these tests give each check of the torture test a wrong input.

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

describe("the checks of answers to generated requests", () => {
  it("report no problem in a documented answer", () => {
    expect(judged({})).toEqual([]);
    expect(judged({ status: 404, body: refusal(404, "record_not_found") })).toEqual([]);
  });

  it.each([
    ["a missing field", { body: { ...list, results: undefined } }, /required property 'results'/],
    ["an undocumented field", { body: { ...list, debug: 1 } }, /additional properties/],
    ["a value of the wrong type", { body: { ...list, total_count: "0" } }, /total_count must be/],
    ["a fault", { status: 500, body: refusal(500, "internal") }, /fault of the server/],
    ["an undocumented status", { status: 409, body: refusal(409, "x") }, /lists no/],
    [
      "a code that the status does not have",
      { status: 404, body: refusal(404, "internal") },
      /with the code internal/,
    ],
    ["a body with a different status", { status: 404, body: refusal(400, "record_not_found") }, /tells/],
    ["another tenant's record", { body: { ...list, results: ["of bravozqx"] } }, /shows bravozqx/],
    ["another tenant's record in a header", { headers: { link: "</x?n=BravoZqx>" } }, /shows bravozqx/],
    ["internals of the program", { body: { ...list, results: ["SQLITE_BUSY"] } }, /shows its inside/],
    [
      "headers that let a browser guess the type",
      { headers: { "x-content-type-options": "" } },
      /content-type-options/,
    ],
    ["a missing request id", { headers: { "x-request-id": "" } }, /x-request-id/],
    ["503 without Retry-After", { status: 503, body: refusal(503, "shutting_down") }, /retry-after/],
    ["a wrong type", { headers: { "content-type": "text/html" } }, /with the type text\/html/],
  ])("report %s", (_, answer, problem) => {
    expect(judged(answer).join("\n")).toMatch(problem);
  });

  it("report a success for a role that the operation does not allow", () => {
    expect(judged({}, { roles: ["Driver"] })).toEqual(["done for Driver, whom trucks.list does not admit"]);
  });

  it("report bytes that contradict their headers; the answer to HEAD has no bytes", () => {
    const coded = { status: 200, headers: { ...headers, "content-encoding": "gzip" } };
    expect(judgeAnswer(request, { ...coded, body: Buffer.from("{}") })).toHaveLength(1);
    expect(judgeAnswer({ ...request, method: "HEAD" }, { ...coded, body: Buffer.alloc(0) })).toEqual([]);
  });

  it("report a request without an answer", () => {
    expect(judgeAnswer(request, { status: null, problem: "no answer within 10 s" })).toEqual([
      "no answer within 10 s",
    ]);
  });
});

describe("the checks after a killed process", () => {
  const whole = { trucks: 3, names: 3, audit: 3, events: 3 };
  const fine = { code: 0, stderr: "" };
  const hooks = [{ id: 1, secret: "one" }];
  const moved = {
    here: { is_active: false, frozen_reason: null },
    there: { is_active: true, frozen_reason: null },
    ...{ wanted: ["2 jobs"], found: ["2 jobs"] },
  };
  it.each([
    ["a duplicated truck", judgeTrucks(whole, 3), judgeTrucks({ ...whole, names: 2 }, 3)],
    ["a truck without its audit row", judgeTrucks(whole), judgeTrucks({ ...whole, audit: 2 })],
    ["a truck without its event", judgeTrucks(whole), judgeTrucks({ ...whole, events: 2 })],
    ["a partial import", judgeTrucks(whole, 3), judgeTrucks(whole, 4)],
    ["a lost acknowledged truck", judgeAcknowledged([1], [{ id: 1 }]), judgeAcknowledged([2], [{ id: 1 }])],
    ["a copy that lacks a row", judgeCopy({ jobs: 2 }, { jobs: 2 }), judgeCopy({ jobs: 2 }, { jobs: 1 })],
    [
      "a tenant active in two stores",
      judgeMove(moved),
      judgeMove({ ...moved, here: { ...moved.here, is_active: true } }),
    ],
    [
      "a moved tenant that stays frozen",
      judgeMove(moved),
      judgeMove({ ...moved, there: { is_active: true, frozen_reason: "x" } }),
    ],
    ["a row lost in a move", judgeMove(moved), judgeMove({ ...moved, found: ["1 jobs"] })],
    ["a store created twice", judgeInit(fine, fine, 1), judgeInit(fine, fine, 2)],
    [
      "a store that can never be created again",
      judgeInit(fine, { code: 1, stderr: "already" }, 1),
      judgeInit(fine, { code: 1, stderr: "no" }, 1),
    ],
    ["a damaged file", judgeIntegrity("ok"), judgeIntegrity("page 2 is never used")],
    [
      "a secret under another key",
      judgeForms({ key: "b", plain: 0, encrypted: { b: 1 } }, 1),
      judgeForms({ key: "b", plain: 0, encrypted: { a: 1 } }, 1),
    ],
    [
      "an unencrypted secret",
      judgeForms({ key: "b", plain: 0, encrypted: { b: 1 } }, 1),
      judgeForms({ key: "b", plain: 1, encrypted: { b: 1 } }, 1),
    ],
    ["a lost secret", judgeSecrets(hooks, new Map([[1, "one"]])), judgeSecrets(hooks, new Map())],
    [
      "a secret in the bytes of a file",
      judgePlainText(hooks, [Buffer.from("two")]),
      judgePlainText(hooks, [Buffer.from("is one.")]),
    ],
  ])("report %s", (_, right, wrong) => {
    expect(right).toEqual([]);
    expect(wrong).toHaveLength(1);
  });

  it("report a process that still runs, and no process that has ended", async () => {
    expect(await findOrphans([process.pid], 100)).toHaveLength(1);
    expect(await findOrphans([2 ** 22 + 1], 100)).toEqual([]);
  });

  it("report a failed command, and a store with problems found by doctor", async () => {
    const nowhere = "/none/such.db";
    expect((await mustRun(["trucks", "list", "--location", "1", "--data", nowhere]))[0]).toMatch(
      /exits with/,
    );
    expect((await findIll(nowhere))[0]).toMatch(/doctor exits with/);
  });
});

describe("the checks during a full disk", () => {
  const told = [
    { status: 200, id: 1 },
    { status: 503, id: null },
  ];
  const full = { told, ready: 503, list: 200, after: [200, 200] };
  it.each([
    ["a write with a wrong answer", { told: [...told, { status: 500, id: null }] }],
    ["a server that reports ready", { ready: 200 }],
    ["a list without an answer", { list: 503 }],
    ["a server that does not continue", { after: [503, 200] }],
    ["a disk that was never full", { told: told.slice(0, 1) }],
  ])("report %s", (_, changes) => {
    expect(judgeFullDisk(full)).toEqual([]);
    expect(judgeFullDisk({ ...full, ...changes })).toHaveLength(1);
  });

  it("report a lost record, a record of a refused write, and a damaged file", () => {
    expect(judgeStored(told, [{ id: 1 }], "ok")).toEqual([]);
    expect(judgeStored(told, [], "ok")).toHaveLength(1);
    expect(judgeStored(told, [{ id: 1 }, { id: 2 }], "ok")).toHaveLength(1);
    expect(judgeStored(told, [{ id: 1 }], "page 2")).toHaveLength(1);
  });

  it("report a wrong answer, a missing answer, and a server that ended", () => {
    expect(judgeAnswers([{ status: 200 }, { status: 404 }], null)).toEqual([]);
    expect(judgeAnswers([{ status: 503 }, { status: null, problem: "reset" }], 1)).toEqual([
      "request 0: 503",
      "request 1: reset",
      "the server ended with 1",
    ]);
  });

  it("report a backup without a message, and one that leaves a file", () => {
    const refused = { code: 1, stderr: "The disk is full, disk is full." };
    expect(judgeRefusedBackup(refused, [])).toEqual([]);
    expect(judgeRefusedBackup({ code: 0, stderr: "" }, [])).toHaveLength(1);
    expect(judgeRefusedBackup(refused, ["b.gz.new"])).toHaveLength(1);
  });
});

describe("the other checks of the torture", () => {
  it("report the longest delay of the event loop, and the share of long ones", () => {
    const of = (...times: number[]) => describeHolds(times.map((ms) => ({ name: `GET /${ms}`, ms })));
    expect(of()).toBe("never for long");
    expect(of(7.4, 12, 50, 9)).toBe("50 ms GET /50, 12 ms GET /12, 9 ms GET /9");
    expect(of(51, 300)).toBe("300 ms GET /300, 51 ms GET /51; beyond the aim of 50 ms: 2");
  });

  it("report connections that stay, connections with other answers, and missing log lines", () => {
    const drips = { count: 3, left: 0, told408: 3, otherwise: 0, longestMs: 30_000 };
    expect(judgeDrips(drips)).toEqual([]);
    expect(judgeDrips({ ...drips, left: 1 })).toHaveLength(1);
    expect(judgeDrips({ ...drips, otherwise: 1 })).toHaveLength(1);
    expect(judgeDrips({ ...drips, told408: 0 })).toHaveLength(1);
  });

  it("report a socket with more answers than requests, the answer to a smuggled request, and a server error", () => {
    const form = { most: 1, statuses: [400] };
    expect(judge(form, "HTTP/1.1 400 Bad Request\r\n\r\n")).toEqual([]);
    expect(judge(form, "HTTP/1.1 400 x\r\n\r\nHTTP/1.1 400 x\r\n\r\n")).toHaveLength(1);
    expect(judge(form, "HTTP/1.1 200 OK\r\n\r\n")).toEqual(["answered with 200, not 400"]);
    expect(judge(form, "HTTP/1.1 500 x\r\n\r\n")).toEqual(["answered with 500"]);
  });

  it("report a neighbor that gets slow answers, or none", () => {
    const alone = { reads: [1, 1, 2], writes: [2, 2, 3], health: [1] };
    expect(compare(alone, { reads: [2, 2, 4], writes: [3, 3, 6], health: [50] })).toEqual([]);
    expect(compare(alone, { reads: [3, 3, 11], writes: [3, 3, 6], health: [51] })).toHaveLength(3);
    expect(findUnanswered({ unanswered: [503, 503] })).toHaveLength(1);
  });

  it("report a flood without answers, a flood that blocks others, and a flood that uses much memory", () => {
    const held = { answered: 20, memoryMiB: 150, unanswered: [] };
    expect(findFlooded(held, 20)).toEqual([]);
    expect(findFlooded({ answered: 19, memoryMiB: 1300, unanswered: [503] }, 20)).toHaveLength(3);
  });

  it("report growing memory and handles", () => {
    const steady = Array.from({ length: 21 }, () => ({ memory: 100, handles: 20 }));
    const grown = steady.map((one, index) => ({ memory: one.memory + index * 10, handles: 20 + index * 3 }));
    expect(judgeGrowth(steady, false)).toEqual([]);
    expect(judgeGrowth(grown, false)).toHaveLength(2);
    expect(judgeGrowth(grown, true)).toHaveLength(1);
  });

  it("report a lost acknowledged write, and a write that no client sent", () => {
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

  it("report a lost delivery, and a delivery in the wrong order", () => {
    const events = [1, 2].map((id) => ({ id, uuid: `u${id}`, kind: "Job", record_id: 5 }));
    const arrived = (...ids: string[]) => ids.map((id) => ({ id, isTaken: true, type: "Job" }));
    expect(compareArrivals(events, arrived("u1", "u2"))).toEqual([]);
    expect(compareArrivals(events, arrived("u1"))).toEqual(["event 2 (Job 5) was never delivered"]);
    expect(compareArrivals(events, arrived("u2", "u1"))).toHaveLength(1);
  });
});

describe("the seed of a round", () => {
  it("repeats the same random values, and gives each round different ones", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).next);
    expect(draw(seedOf(1, 2))).toEqual(draw(seedOf(1, 2)));
    expect(draw(seedOf(1, 2))).not.toEqual(draw(seedOf(1, 3)));
  });
});

describe("the table of the torture test", () => {
  it("is 100 columns wide, and lists each action with the number of runs and problems", () => {
    const row = { part: "kills", what: "secrets encrypt and rotate, PostgreSQL", wrong: 2 };
    const figure = "12 rounds, 9 killed in time, 123 events arrived, 13 s waited for the last";
    expect(`\n${toLines({ ...row, figure })}\n`).toMatchInlineSnapshot(`
      "
      kills      secrets encrypt and rotate, PostgreSQL     2  12 rounds, 9 killed in time, 123 events
                                                               arrived, 13 s waited for the last
      "
    `);
    for (const line of toLines({ ...row, figure }).split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });
});
