import { expect, it } from "vitest";
import type { FinishedRequest } from "../../src/http/finished-request.ts";
import { runCommand } from "../support/command-line.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the requests of a command on a server", (harness) => {
  it("belong to one trace, which no other command shares and which differs from every request id", async () => {
    const requests: FinishedRequest[] = [];
    const { origin: url } = await openQuietServer(harness.service, {
      onOver: (finished) => void requests.push(finished),
    });
    const { token } = harness.callerOf("Dispatcher");
    const tracesOf = async (words: string[]) => {
      const { code } = await runCommand([...words, "--url", url], { env: { DISPATCH_TOKEN: token } });
      expect(code).toBe(0);
      const made = requests.splice(0);
      expect(made.length).toBeGreaterThan(1);
      for (const { request_id: id, trace_id: trace } of made) expect(id.replaceAll("-", "")).not.toBe(trace);
      return new Set(made.map(({ trace_id: trace }) => trace));
    };
    const list = ["trucks", "list", "--location", "1", "-o", "json"];
    const traces = [await tracesOf(list), await tracesOf(list)];
    expect(traces.map(({ size }) => size)).toEqual([1, 1]);
    expect(new Set(traces.flatMap((ids) => [...ids])).size).toBe(2);
  });
});
