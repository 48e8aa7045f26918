import { expect, expectTypeOf, it, onTestFinished } from "vitest";
import { connect } from "../../src/cli/target/connect.ts";
import { type AnswerNamed, type Client, untyped } from "../../src/client/client.ts";
import type { JobType } from "../../src/models/job-types.ts";
import type { Harness } from "../support/harness.ts";
import { createLocalClient } from "../support/local-client.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

describeOnEveryTarget("a client", (harness) => {
  it("returns records and lists as in the JSON, typed by their models", async () => {
    const client = await openClient(harness);
    const truck = await client.call("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: { name: "Truck 8" },
    });
    expectTypeOf(truck.notes).toEqualTypeOf<string | null>();
    expect(truck).toMatchObject({ name: "Truck 8", notes: null, out_of_service: false });
    // The client leaves out parameters without a value.
    const query = { completed: false, page_index: undefined, page_limit: null };
    const list = await client.call("jobs.list", { query });
    expectTypeOf(list.results[0]?.type).toEqualTypeOf<JobType | undefined>();
    expect(list).toMatchObject({ current_limit: 100, current_page: 1, results: [] });
  });

  it("returns documents as bytes, and throws the errors of operations", async () => {
    const client = await openClient(harness);
    const { locationId: location_id, truckId: truck_id } = harness.acme;
    const request = { params: { location_id, truck_id }, version: "2021/08/02" } as const;
    const list = await untyped(client).call("trucks.job-list-pdf", request);
    expectTypeOf<AnswerNamed<"trucks.job-list-pdf">>().toEqualTypeOf<Uint8Array>();
    expect(Buffer.from(list as Uint8Array).toString("latin1", 0, 4)).toBe("%PDF");
    const refused = client.call("trucks.get", { params: { location_id, truck_id: 999 } });
    await expect(refused).rejects.toMatchObject({ code: "record_not_found" });
  });
});

/** Calls that must not compile. The line below each directive has one mistake. */
export function callWrongly(client: Client): void {
  // @ts-expect-error no operation has this name
  void client.call("trucks.sell");
  // @ts-expect-error a required parameter is missing
  void client.call("trucks.get", { params: { location_id: 1 } });
  // @ts-expect-error the operation lacks one of the parameters
  void client.call("trucks.get", { params: { location_id: 1, truck_id: 2, job_id: 3 } });
  // @ts-expect-error a query parameter is misspelled
  void client.call("jobs.list", { query: { complete: true } });
  // @ts-expect-error the body is missing
  void client.call("trucks.create", { params: { location_id: 1 } });
  // @ts-expect-error a required field of the body is missing
  void client.call("trucks.create", { params: { location_id: 1 }, body: { notes: "new" } });
  // @ts-expect-error the operation accepts no body
  void client.call("trucks.list", { params: { location_id: 1 }, body: {} });
  // @ts-expect-error the operation returns no list
  void client.pages("trucks.get", { params: { location_id: 1, truck_id: 2 } });
  // @ts-expect-error the answer lacks this field
  void client.call("jobs.get", { params: { location_id: 1, job_id: 2 } }).then((job) => job.truck);
}

/** Creates a client of the harness's store, or of its server. */
async function openClient({ acme, service, transport }: Harness): Promise<Client> {
  if (transport.name === "in process") return createLocalClient(service, acme.owner);
  const { origin } = await openQuietServer(service);
  const { token } = acme.callers.Dispatcher;
  const tenant = { id: acme.tenantId, name: "Acme", paper: "letter", time_zone: "UTC" } as const;
  const { client, close } = await connect(origin, token, acme.tenantId, () => tenant);
  onTestFinished(close);
  return client;
}
