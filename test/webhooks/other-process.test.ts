import { describe, it, onTestFinished, vi } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import { until } from "../support/eventually.ts";
import { Harness } from "../support/harness.ts";
import { postgres } from "../support/postgres-database.ts";
import { startReceiver } from "../support/receiver.ts";
import { transports } from "../support/transports.ts";

describe("a worker that gets hints from other processes", () => {
  it("sends deliveries of another process without polling", async () => {
    const [transport] = transports.filter(({ name }) => name === "in process");
    if (!transport) throw new Error("There is no such transport.");
    const other = await new Harness(postgres, transport).open();
    onTestFinished(() => other.close());
    const { url, deliveries } = await startReceiver();
    await createHook(other, url);
    const service = openService({ allowsPrivateHooks: true, clock: other.clock, data: other.store.direct });
    onTestFinished(() => service.store.close());
    const looks = vi.spyOn(service.store.backlog, "endpointsDue");
    // Stop the worker's polling.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    service.store.database.hints.listen();
    await until(() => service.store.database.hints.isListening());
    startTestWorker({ service });
    await until(() => looks.mock.calls.length > 0);
    await createJob(other);
    await until(() => deliveries.length === 1);
    await createJob(other);
    await until(() => deliveries.length === 2);
  });
});
