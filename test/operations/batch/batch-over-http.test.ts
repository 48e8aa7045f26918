import { expect, it } from "vitest";
import { createRateLimits } from "../../../src/http/rate-limits.ts";
import { aHook, aTruck } from "../../support/builders.ts";
import { openQuietServer } from "../../support/quiet-server.ts";
import { describeOverHttp } from "../../support/targets.ts";
import { sendKeyed } from "../../support/wire-requests.ts";

describeOverHttp("POST /batch", (harness) => {
  const makeTruck = () => ({
    body: aTruck(),
    method: "POST",
    path: `/locations/${harness.acme.locationId}/trucks`,
  });
  const count = () => harness.store.rowCounts().trucks;

  it("runs once for its Idempotency-Key, with all its operations", async () => {
    const body = { operations: [makeTruck(), makeTruck()] };
    const before = count();
    const first = await sendKeyed(harness, "batch", { body, path: "/batch" });
    const again = await sendKeyed(harness, "batch", { body, path: "/batch" });
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
    expect(again.text).toBe(first.text);
    expect(count()).toBe((before ?? 0) + 2);
  });

  it("does not keep its answer if one of its operations returns a secret", async () => {
    const body = { operations: [makeTruck(), { body: aHook(), method: "POST", path: "/hooks" }] };
    const first = await sendKeyed(harness, "secret", { body, path: "/batch" });
    expect(first.text).toContain('"secret":"');
    const again = await sendKeyed(harness, "secret", { body, path: "/batch" });
    expect([again.status, JSON.parse(again.text).code]).toEqual([409, "answer_not_kept"]);
  });

  it("counts each operation against the rate limit of the token; the excess delays later requests", async () => {
    const limits = createRateLimits({ burst: 5, perSecond: 1 }, () => 5000);
    const http = await openQuietServer(harness.service, { rateLimits: limits });
    const send = (operations: number) =>
      http.send({
        body: JSON.stringify({ operations: Array.from({ length: operations }, makeTruck) }),
        headers: { ...harness.headersOf("Dispatcher"), "x-api-version": "2023/04/19" },
        method: "POST",
        path: "/batch",
      });
    const [made, refused] = [await send(6), await send(1)];
    expect([made.status, made.headers.ratelimit]).toEqual([200, '"token";r=0;t=3']);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "3"]);
  });
});
