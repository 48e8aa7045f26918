import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { CreateCustomerAddressModel } from "../../../src/models/address.ts";
import { CreateCustomerContactModel } from "../../../src/models/contact.ts";
import { CreateJobRequestBodyModel } from "../../../src/models/create-job.ts";
import { CreateCustomerModel } from "../../../src/models/customer.ts";
import { CreateAdditionalItemModel, CreateJobImageModel } from "../../../src/models/job-parts.ts";
import { anAddress } from "../../support/builders.ts";
import { createHook, startTestWorker } from "../../support/delivering.ts";
import { findMarks, findMarksInFile, toMarked } from "../../support/marks.ts";
import { startReceiver } from "../../support/receiver.ts";
import { describeInProcess, freshHarness } from "../../support/targets.ts";

describeInProcess("erasing", (like) => {
  it("removes all text of a customer from the store, and keeps ids and counts", async () => {
    const harness = await freshHarness(like);
    const marks: string[] = [];
    const receiver = await startReceiver();
    await createHook(harness, receiver.url);
    const location_id = harness.acme.locationId;
    const address = () =>
      toMarked(CreateCustomerAddressModel, marks, {
        country: "US",
        is_billing: true,
        is_shipping: true,
        latitude: 38.8675309,
        longitude: -76.9786543,
      });
    const customer = await harness.ok("customers.create", {
      params: { location_id },
      body: toMarked(CreateCustomerModel, marks, {
        addresses: [address()],
        contacts: [toMarked(CreateCustomerContactModel, marks, {})],
      }),
    });
    const [{ id: address_id } = { id: 0 }] = customer.addresses;
    const other = await harness.ok("customers.create", {
      params: { location_id },
      body: { addresses: [anAddress()], contacts: [{ name: "Stays Here" }], name: "Stays Roofing" },
    });
    const job = await harness.ok("jobs.create", {
      params: { location_id },
      body: toMarked(CreateJobRequestBodyModel, marks, { address_id, requested_by: customer.id, type: "D" }),
    });
    const params = { job_id: job.id, location_id };
    await harness.ok("jobs.add-item", {
      params,
      body: toMarked(CreateAdditionalItemModel, marks, { deduct_weight: 0, heavy_weight: 1 }),
    });
    await harness.ok("jobs.add-image", { params, body: toMarked(CreateJobImageModel, marks, {}) });
    await harness.ok("customers.update", {
      params: { customer_id: customer.id },
      body: { name: "zebra-the-former" },
    });
    marks.push("zebra-the-former", "8675309", "9786543");
    const worker = startTestWorker(harness);
    await worker.drain();
    await worker.stop(0);
    await harness.ok("jobs.update", { params, body: { driver_notes: "zebra-pending" } });
    marks.push("zebra-pending");
    expect(findMarks(harness, marks)).toEqual(marks);

    const before = harness.store.rowCounts();
    const erased = await harness.ok("customers.erase", { as: "Admin", params: { customer_id: customer.id } });
    expect(erased).toMatchObject({ addresses: 1, contacts: 1, jobs: 1, record_id: customer.id });
    expect(erased.finished_on).not.toBeNull();
    expect(findMarks(harness, marks)).toEqual([]);
    const after = harness.store.rowCounts();
    for (const table of ["addresses", "contacts", "customers", "jobs", "job_images", "job_items"] as const)
      expect([table, after[table]]).toEqual([table, before[table]]);
    expect(JSON.stringify(harness.store.contents())).toContain("Stays Roofing");
    expect((await harness.ok("customers.get", { params: { customer_id: other.id } })).name).toBe(
      "Stays Roofing",
    );

    // The pending delivery goes out with the erased data, and its log has nothing else.
    const sentBefore = receiver.deliveries.length;
    const later = startTestWorker(harness);
    await later.drain();
    await later.stop(0);
    const sent = receiver.deliveries.slice(sentBefore).map(({ body }) => body);
    expect(sent.join()).toContain(`erased-${customer.id}`);
    expect(sent.join()).not.toContain("zebra");
    expect(findMarks(harness, marks)).toEqual([]);
    expect(await findMarksInFile(harness, marks)).toEqual([]);
  });

  it("erases a long history in separate batches, so that other writers need not wait for all of it", async () => {
    const harness = await freshHarness(like);
    const customer = await harness.ok("customers.create", {
      params: { location_id: harness.acme.locationId },
      body: { addresses: [anAddress()], contacts: [], name: "Zebra Roofing" },
    });
    const ofCustomer = `select id from audit where record_type = 'Customer' and record_id = ${customer.id}`;
    const [entry] = harness.store.query(ofCustomer);
    harness.store.multiply("audit", Number(entry?.id), 1500);
    const erased = await harness.ok("customers.erase", { as: "Admin", params: { customer_id: customer.id } });
    expect(erased).toMatchObject({ finished_on: null, rows_changed: 200 });
    const apply = () => harness.ok("retention.apply", { as: "Admin", body: { kinds: ["events"] } });
    while (!(await apply()).is_done);
    expect(JSON.stringify(harness.store.rows("audit"))).not.toContain("Zebra");
  });

  it("waits for a running attempt, whose log then contains no erased text", async () => {
    const harness = await freshHarness(like);
    let receive: (response: ServerResponse) => void = () => undefined;
    const arrived = new Promise<ServerResponse>((resolve) => {
      receive = resolve;
    });
    const receiver = await startReceiver((response) => receive(response));
    await createHook(harness, receiver.url, { events: ["Customer"] });
    const customer = await harness.ok("customers.create", {
      params: { location_id: harness.acme.locationId },
      body: { addresses: [anAddress()], contacts: [{ name: "Zoe Zebra" }], name: "Zebra Roofing" },
    });
    const worker = startTestWorker(harness);
    const response = await arrived;
    const erased = await harness.ok("customers.erase", { as: "Admin", params: { customer_id: customer.id } });
    expect(erased.finished_on).toBeNull();
    const apply = () => harness.ok("retention.apply", { as: "Admin", body: { kinds: ["events"] } });
    expect(await apply()).toMatchObject({ is_waiting: true });
    response.end("thanks, Zebra Roofing");
    await worker.stop(5000);
    let finished = 0;
    for (let isDone = false; !isDone; ) {
      const batch = await apply();
      isDone = batch.is_done;
      finished += batch.erasures;
    }
    expect(finished).toBe(1);
    expect(receiver.deliveries[0]?.body).toContain("Zebra Roofing");
    expect(harness.store.rowCounts().delivery_attempts).toBeGreaterThan(0);
    expect(findMarks(harness, ["Zebra", "zebra"])).toEqual([]);
  });
});
