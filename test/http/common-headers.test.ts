import { expect, it } from "vitest";
import { aCustomer, aJob } from "../support/builders.ts";
import { crossOrigin } from "../support/cross-origin.ts";
import type { WireRequest } from "../support/http-client.ts";
import { describeOverHttp } from "../support/targets.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeOverHttp("every answer", (harness) => {
  const asDispatcher = () => harness.headersOf("Dispatcher");
  const pdfPath = () =>
    `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}/get_jobs_list_pdf`;
  const post = (body: unknown) => ({
    method: "POST",
    path: `/locations/${harness.acme.locationId}/customers`,
    headers: asDispatcher(),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

  /** One request for each kind of answer. */
  const requests: [status: number, what: string, request: () => WireRequest][] = [
    [200, "a list", () => ({ path: "/jobs", headers: asDispatcher() })],
    [200, "a created record", () => post(aCustomer())],
    [200, "a file", () => ({ path: pdfPath(), headers: asDispatcher() })],
    [200, "OPTIONS", () => ({ method: "OPTIONS", path: "/jobs" })],
    [200, "HEAD", () => ({ method: "HEAD", path: "/jobs", headers: asDispatcher() })],
    [400, "a field", () => post({})],
    [400, "broken JSON", () => post("{")],
    [
      400,
      "a missing tenant",
      () => ({ path: "/jobs", headers: { authorization: asDispatcher().authorization ?? "" } }),
    ],
    [400, "a broken escape", () => ({ path: "/jobs?x=%zz", headers: asDispatcher() })],
    [
      400,
      "a broken escape in the path",
      () => ({ path: "/customers/%zz/addresses", headers: asDispatcher() }),
    ],
    [401, "no token", () => ({ path: "/jobs" })],
    [403, "a role", () => ({ path: "/hooks", headers: harness.headersOf("Driver") })],
    [403, "a tenant", () => ({ path: "/jobs", headers: { ...asDispatcher(), "x-tenant-id": "999999" } })],
    [404, "a record", () => ({ path: "/hooks/999999", headers: asDispatcher() })],
    [404, "a path", () => ({ path: "/nowhere", headers: asDispatcher() })],
    [
      404,
      "an ended operation",
      () => ({ path: pdfPath(), headers: { ...asDispatcher(), "x-api-version": "2023/04/19" } }),
    ],
    [405, "a method", () => ({ method: "PUT", path: "/jobs", headers: asDispatcher() })],
    [406, "Accept", () => ({ path: "/jobs", headers: { ...asDispatcher(), accept: "text/html" } })],
    [409, "a duplicate", () => post(twice)],
    [413, "a large body", () => post(" ".repeat(1024 * 1024 + 1))],
    [
      415,
      "a body's type",
      () => ({ ...post({}), headers: { ...asDispatcher(), "content-type": "text/plain" } }),
    ],
  ];
  const twice = aCustomer();

  it.each(requests)(
    "%i (%s) has the common headers, and JSON has no charset",
    async (status, what, request) => {
      if (status === 409) await harness.send(request());
      const answer = await harness.send(request());
      expect(answer.status).toBe(status);
      const { headers } = answer;
      expect(headers).toMatchObject({
        ...crossOrigin,
        "access-control-allow-methods": expect.any(String),
        vary: "Accept, Accept-Encoding, Authorization, X-API-VERSION, X-TENANT-ID",
        "x-content-type-options": "nosniff",
        "x-api-version": expect.stringMatching(/^\d{4}\/\d{2}\/\d{2}$/),
        "x-request-id": expect.stringMatching(uuidPattern),
      });
      expect(headers.allow).toBe(headers["access-control-allow-methods"]);
      if (what !== "OPTIONS")
        expect(headers["content-type"]).toBe(what === "a file" ? "application/pdf" : "application/json");
      if (status >= 400) expect(JSON.parse(answer.text).request_id).toBe(headers["x-request-id"]);
    },
  );

  it.each(["", " ", ","])("ignores an empty Accept (%j)", async (accept) => {
    for (const path of ["/jobs", pdfPath()]) {
      const { status } = await harness.send({ path, headers: { ...asDispatcher(), accept } });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it("has a unique request id", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => harness.send({ path: "/jobs", headers: asDispatcher() })),
    );
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(40);
  });

  it("has the request id of the caller, stored or new, for a success and an error", async () => {
    const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-7222-8222-2222222222AA"];
    for (const path of ["/jobs", "/jobs", "/nowhere", "/healthz", "/hooks/999999"])
      for (const id of ids) {
        const answer = await harness.send({ path, headers: { ...asDispatcher(), "x-request-id": id } });
        expect([path, answer.headers["x-request-id"]]).toEqual([path, id]);
        if (answer.status >= 400) expect(JSON.parse(answer.text).request_id).toBe(id);
      }
  });

  it.each(["", "mine", "11111111-1111-4111-8111-11111111111g", "a".repeat(9000), "1, 2"])(
    "has a new request id if the request id of the caller is not a UUID: %.40s",
    async (id) => {
      const { headers, status } = await harness.send({
        path: "/jobs",
        headers: { ...asDispatcher(), "x-request-id": id },
      });
      expect(status).toBe(200);
      expect(headers["x-request-id"]).toMatch(uuidPattern);
    },
  );

  it.each([undefined, "33333333-3333-4333-8333-333333333333"])(
    "of a write can be found by its request id in the audit trail: %s",
    async (id) => {
      const { acme } = harness;
      const answer = await harness.send({
        method: "POST",
        path: `/locations/${acme.locationId}/jobs`,
        headers: { ...asDispatcher(), ...(id && { "x-request-id": id }) },
        body: JSON.stringify(aJob(acme)),
      });
      if (id) expect(answer.headers["x-request-id"]).toBe(id);
      const entries = harness.store
        .rows("audit")
        .filter((row) => row.request_id === answer.headers["x-request-id"]);
      expect(entries).toMatchObject([{ operation: "jobs.create", record_id: JSON.parse(answer.text).id }]);
    },
  );
});
