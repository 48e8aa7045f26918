import { describe, expect, it } from "vitest";
import { toBody } from "../../src/webhooks/event-body.ts";

const event = (uuid: string, id: number) => ({
  uuid,
  action: "Created",
  createdOn: "2026-11-21T12:00:00.000000",
  kind: "Ping" as const,
  data: JSON.stringify({ id }),
  previous: null,
});

const newest = { apiVersion: "2023/04/19", includesPrevious: false } as const;

const recordOf = (body: string) => JSON.parse(body).data;

describe("the body of a delivery", () => {
  it("is the same text each time that it is written", () => {
    const first = toBody(event("a", 1), 1, newest);
    expect(toBody(event("a", 1), 1, newest)).toBe(first);
    expect(first).toBe(
      '{"action":"Created","api_version":"2023/04/19","data":{"id":1},"id":"a","tenant_id":1,"timestamp":"2026-11-21T12:00:00.000000","type":"Ping"}',
    );
  });

  it("has its own event's record, even where another store gave an event the same UUID", () => {
    expect(recordOf(toBody(event("b", 1), 1, newest))).toEqual({ id: 1 });
    expect(recordOf(toBody(event("b", 2), 1, newest))).toEqual({ id: 2 });
    expect(recordOf(toBody(event("b", 1), 1, newest))).toEqual({ id: 1 });
  });

  it("has its own record after more events than are remembered", () => {
    for (let id = 1; id <= 600; id++) {
      expect(recordOf(toBody(event(`c-${id}`, id), 1, newest))).toEqual({ id });
    }
    expect(recordOf(toBody(event("c-1", 1), 1, newest))).toEqual({ id: 1 });
  });
});
