import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type * as z from "zod";
import { CreateCustomerAddressModel } from "../../../src/models/address.ts";
import { CreateCustomerContactModel } from "../../../src/models/contact.ts";
import { CreateCustomerModel } from "../../../src/models/create-customer.ts";
import { CreateJobRequestBodyModel } from "../../../src/models/create-job.ts";
import { fieldKinds } from "../../../src/models/fields.ts";
import { CreateAdditionalItemModel, CreateJobImageModel } from "../../../src/models/job-parts.ts";
import type { Shape } from "../../../src/models/model.ts";
import { unwrap } from "../../../src/models/parse.ts";
import { anAddress } from "../../support/builders.ts";
import { sqlite } from "../../support/databases.ts";
import { createHook, startTestWorker } from "../../support/delivering.ts";
import type { Harness } from "../../support/harness.ts";
import { startReceiver } from "../../support/receiver.ts";
import { describeInProcess, freshHarness } from "../../support/targets.ts";

/** Texts that say nothing of a person, by model and field: what a new field is unless somebody writes it here. */
const impersonal = ["country", "scale_ticket", "dropped_number", "removed_number", "add_to_routes"];

/** Fills every text of a model with a word that is found again; how a number, an e-mail or an address looks, it keeps. */
function marked(model: z.ZodObject<Shape>, marks: string[], given: object): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(model.shape)) {
    const kind = fieldKinds.get(unwrap(field));
    const { examples, format, maxLength = 0, pattern } = (kind?.input ?? {}) as Record<string, unknown>;
    if (kind?.name !== "text" || impersonal.includes(name) || format === "uuid") continue;
    const number = String(7_430_000 + marks.length);
    const looks = String(examples ?? "");
    const mark = looks.includes("@")
      ? `zebra${number}@example.com`
      : looks.includes("://") || pattern !== undefined
        ? `https://example.com/zebra${number}`
        : Number(maxLength) < 16
          ? number
          : `zebra${number}`;
    marks.push(looks.includes("@") || mark.length < 12 ? mark : `zebra${number}`);
    filled[name] = mark;
  }
  return { ...filled, ...given };
}

/** What the store holds past the program: every column of every table, and on SQLite the bytes of the file. */
async function findMarks(harness: Harness, marks: readonly string[]): Promise<string[]> {
  const kept = JSON.stringify(harness.store.contents());
  return marks.filter((mark) => kept.includes(mark));
}

describeInProcess("erasing", (like) => {
  it("leaves no text of a customer anywhere in the store, and all its ids and counts", async () => {
    const harness = await freshHarness(like);
    const marks: string[] = [];
    const receiver = await startReceiver();
    await createHook(harness, receiver.url);
    const location_id = harness.acme.locationId;
    const address = () =>
      marked(CreateCustomerAddressModel, marks, {
        country: "US",
        is_billing: true,
        is_shipping: true,
        latitude: 38.8675309,
        longitude: -76.9786543,
      });
    const customer = await harness.ok("customers.create", {
      params: { location_id },
      body: marked(CreateCustomerModel, marks, {
        addresses: [address()],
        contacts: [marked(CreateCustomerContactModel, marks, {})],
      }),
    });
    const [{ id: address_id } = { id: 0 }] = customer.addresses;
    const other = await harness.ok("customers.create", {
      params: { location_id },
      body: { addresses: [anAddress()], contacts: [{ name: "Stays Here" }], name: "Stays Roofing" },
    });
    const job = await harness.ok("jobs.create", {
      params: { location_id },
      body: marked(CreateJobRequestBodyModel, marks, { address_id, requested_by: customer.id, type: "D" }),
    });
    const params = { job_id: job.id, location_id };
    await harness.ok("jobs.add-item", {
      params,
      body: marked(CreateAdditionalItemModel, marks, { deduct_weight: 0, heavy_weight: 1 }),
    });
    await harness.ok("jobs.add-image", { params, body: marked(CreateJobImageModel, marks, {}) });
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
    expect(await findMarks(harness, marks)).toEqual(marks);

    const before = harness.store.rowCounts();
    const erased = await harness.ok("customers.erase", { as: "Admin", params: { customer_id: customer.id } });
    expect(erased).toMatchObject({ addresses: 1, contacts: 1, jobs: 1, record_id: customer.id });
    expect(erased.finished_on).not.toBeNull();
    expect(await findMarks(harness, marks)).toEqual([]);
    const after = harness.store.rowCounts();
    for (const table of ["addresses", "contacts", "customers", "jobs", "job_images", "job_items"] as const)
      expect([table, after[table]]).toEqual([table, before[table]]);
    expect(JSON.stringify(harness.store.contents())).toContain("Stays Roofing");
    expect((await harness.ok("customers.get", { params: { customer_id: other.id } })).name).toBe(
      "Stays Roofing",
    );

    // What was pending is sent erased, and the log of it shows nothing else.
    const sentBefore = receiver.deliveries.length;
    const later = startTestWorker(harness);
    await later.drain();
    await later.stop(0);
    const sent = receiver.deliveries.slice(sentBefore).map(({ body }) => body);
    expect(sent.join()).toContain(`erased-${customer.id}`);
    expect(sent.join()).not.toContain("zebra");
    expect(await findMarks(harness, marks)).toEqual([]);
    if (harness.database === sqlite) {
      await harness.service.store.close();
      const bytes = readFileSync(harness.store.data, "latin1");
      expect(marks.filter((mark) => bytes.includes(mark))).toEqual([]);
    }
  });
});
