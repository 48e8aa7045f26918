import { expect, it } from "vitest";
import { aTruck } from "../support/builders.ts";
import { createHook, startTestWorker } from "../support/delivering.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

describeOverHttpOnEveryDatabase("the trace of a request that makes a change", (harness) => {
  it("is in the audit entry and the log line of the attempt, and reaches the webhook with a new span, the flag, and the tracestate", async () => {
    const client = await openQuietServer(harness.service);
    const { deliveries, url } = await startReceiver();
    await createHook(harness, url, { events: ["Truck"] });
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const post = async (headers: Record<string, string>) => {
      const { headers: answered, status } = await client.send({
        method: "POST",
        path: `/locations/${harness.acme.locationId}/trucks`,
        headers: { ...harness.headersOf("Admin"), "content-type": "application/json", ...headers },
        body: JSON.stringify(aTruck()),
      });
      expect(status).toBe(200);
      return String(answered["x-request-id"]).replaceAll("-", "");
    };
    await post({ traceparent: `00-${trace}-00f067aa0ba902b7-00`, tracestate: "vendor=opaque" });
    const own = await post({ tracestate: "vendor=of-no-trace" });
    const worker = startTestWorker(harness);
    await worker.drain();
    const sent = deliveries.map(({ headers }) => String(headers.traceparent));
    expect(sent.map((header) => header.split("-")[1]).sort()).toEqual([trace, own].sort());
    for (const header of sent)
      expect(header).toMatch(/^00-[0-9a-f]{32}-(?!00f067aa0ba902b7)[0-9a-f]{16}-0[01]$/);
    const toRest = ({ traceparent, tracestate }: (typeof deliveries)[number]["headers"]) => [
      String(traceparent).slice(-2),
      tracestate,
    ];
    expect(deliveries.map(({ headers }) => toRest(headers)).sort()).toEqual([
      ["00", "vendor=opaque"],
      ["01", undefined],
    ]);
    expect(worker.lines.map((line) => line.trace_id).sort()).toEqual([trace, own].sort());
    const { results: events } = await harness.ok("events.list", { as: "Admin" });
    expect(events.slice(-2)).toMatchObject([
      { trace_id: trace, trace_state: "vendor=opaque" },
      { trace_id: own, trace_state: null },
    ]);
    const { results } = await harness.ok("audit.list", { as: "Admin", query: { record: "Truck" } });
    expect(results.slice(0, 2).map(({ trace_id: id }) => id)).toEqual([own, trace]);
  });
});
