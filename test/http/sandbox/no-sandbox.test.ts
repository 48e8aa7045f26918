import { expect, it } from "vitest";
import { roles } from "../../../src/models/user.ts";
import { describeOverHttpOnEveryDatabase } from "../../support/targets.ts";

const version = { "content-type": "application/json", "x-api-version": "2023/04/19" };

const requests = [
  { method: "POST", path: "/sandbox/reset" },
  { method: "GET", path: "/sandbox/clock" },
  { method: "PUT", path: "/sandbox/clock", body: JSON.stringify({ advance: "3d" }) },
  { method: "PUT", path: "/sandbox/clock", body: JSON.stringify({ reset: true }) },
  { method: "GET", path: "/sandbox/requests.har" },
];

describeOverHttpOnEveryDatabase("a server without a sandbox", (harness) => {
  it("answers 404 on the paths of a sandbox, for any caller", async () => {
    const before = harness.store.contents();
    const answers = new Set<string>();
    for (const request of requests)
      for (const role of roles) {
        const { status, text } = await harness.send({
          ...request,
          headers: { ...harness.headersOf(role), ...version },
        });
        const mayAsk = role === "Admin" || request.method + request.path === "GET/sandbox/clock";
        expect([request.path, role, status]).toEqual([request.path, role, mayAsk ? 409 : 403]);
        answers.add(JSON.parse(text).code);
      }
    expect([...answers].sort()).toEqual(["role_not_allowed", "state_conflict"]);
    expect(harness.store.contents()).toEqual(before);
  });

  it("ignores a requested fault, and reports no clock", async () => {
    for (const fault of ["503", "drop", "timeout", "slow=30s", "nonsense"]) {
      const headers = { ...harness.headersOf("Dispatcher"), ...version, "x-sandbox-fault": fault };
      const answer = await harness.send({ method: "GET", path: "/jobs", headers });
      expect([fault, answer.status]).toEqual([fault, 200]);
      expect(answer.headers["x-sandbox-clock-offset"]).toBeUndefined();
    }
  });
});
