import { extractText } from "unpdf";
import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer } from "../../support/builders.ts";
import { sqlite } from "../../support/databases.ts";
import type { HarnessCall } from "../../support/harness.ts";
import { describeOnEveryTarget, describeOverHttp } from "../../support/targets.ts";

const version = "2021/08/02";

describeOnEveryTarget("trucks.job-list-pdf", (harness) => {
  const params = () => ({ location_id: harness.acme.locationId, truck_id: harness.acme.truckId });

  /** Returns the printed text without white space, because line breaks do not matter. */
  async function print(call: HarnessCall = {}): Promise<string> {
    const { status, file, body } = await harness.call("trucks.job-list-pdf", {
      params: params(),
      version,
      ...call,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { text } = await extractText(file);
    return text.join("").replace(/\s/g, "");
  }

  async function createJob(changes: object): Promise<number> {
    const { addressId, customerId, locationId, truckId } = harness.acme;
    const body = {
      address_id: addressId,
      requested_by: customerId,
      truck_id: truckId,
      type: "D",
      ...changes,
    };
    return (await harness.ok("jobs.create", { params: { location_id: locationId }, body })).id;
  }

  beforeAll(async () => {
    await createJob({ reference_number: "REF-late", schedule_date: "2026-12-24" });
    await createJob({
      dispatcher_notes: "Gate code 12",
      reference_number: "REF-early",
      schedule_date: "2026-12-01",
    });
    await createJob({ reference_number: "REF-completed", is_completed: true });
    await createJob({ reference_number: "REF-failed", is_failed: true });
    await createJob({ reference_number: "REF-declined", is_declined: true });
    await createJob({ reference_number: "REF-deleted", is_deleted: true });
    await createJob({ reference_number: "REF-elsewhere", truck_id: harness.acme.haulerTruckId });
    await createJob({ reference_number: "REF-undispatched", truck_id: null });
  });

  it("is a PDF with exactly the open jobs of the truck, in order", async () => {
    const text = await print();
    expect(text.indexOf("REF-early")).toBeGreaterThan(0);
    expect(text.indexOf("REF-late")).toBeGreaterThan(text.indexOf("REF-early"));
    for (const word of ["completed", "failed", "declined", "deleted", "elsewhere", "undispatched"]) {
      expect(text).not.toContain(`REF-${word}`);
    }
    for (const words of [
      "Acme",
      "Acmeyard",
      "FirstofAcme",
      "Drop-off",
      "TStreetSE",
      "Gatecode12",
      "TueDec1",
      "TimesUTC",
    ]) {
      expect(text).toContain(words);
    }
  });

  it("shows every job on its local day and at its local time, and names the zone once", async () => {
    const location = { location_id: harness.acme.locationId };
    const truck = await harness.ok("trucks.create", { params: location, body: { name: "Western" } });
    const onTruck = { truck_id: truck.id };
    await createJob({
      ...onTruck,
      desired_end_time: "2026-12-01T18:30:00-08:00",
      desired_start_time: "2026-12-01T17:00:00-08:00",
      schedule_date: "2026-12-01",
    });
    await createJob({ ...onTruck, schedule_date: "2026-12-02T22:15:00-08:00" });
    harness.store.update("locations", location.location_id, { time_zone: "America/Los_Angeles" });
    const text = await print({ params: { ...location, truck_id: truck.id } });
    harness.store.update("locations", location.location_id, { time_zone: null });
    expect(text).toContain("TueDec15:00–6:30pm");
    expect(text).toContain("WedDec210:15pm");
    expect(text).toContain("DatesTueDec1toWedDec2");
    expect(text.match(/America\/Los_Angeles/g)).toHaveLength(1);
    expect(text).not.toContain("UTC");
  });

  it("shows the first contact with a phone number", async () => {
    const params = { customer_id: harness.acme.customerId };
    await harness.ok("contacts.add", { params, body: { name: "Dana Smith", number: "202-555-0199" } });
    await harness.ok("contacts.add", { params, body: { name: "Pat Jones", number: "202-555-0144" } });
    const text = await print();
    expect(text).toContain("DanaSmith202-555-0199");
    expect(text).not.toContain("PatJones");
  });

  it("returns the same bytes for the same data and time", async () => {
    const [one, other] = [
      await harness.call("trucks.job-list-pdf", { params: params(), version }),
      await harness.call("trucks.job-list-pdf", { params: params(), version }),
    ];
    expect(Buffer.from(one.file).subarray(0, 5).toString()).toBe("%PDF-");
    expect(Buffer.from(one.file).equals(Buffer.from(other.file))).toBe(true);
  });

  it("uses the names that the location gives its job types", async () => {
    harness.store.update("locations", harness.acme.locationId, { dropoff_name: "Abstellen" });
    const text = await print();
    harness.store.update("locations", harness.acme.locationId, { dropoff_name: "Drop-off" });
    expect(text).toContain("Abstellen");
    expect(text).not.toContain("Drop-off");
  });

  it("contains only the jobs that its caller sees", async () => {
    const { locationId } = harness.acme;
    const other = await harness.ok("customers.create", {
      params: { location_id: locationId },
      body: aCustomer(),
    });
    const theirs = { address_id: other.addresses[0]?.id, requested_by: other.id };
    const id = await createJob({ ...theirs, reference_number: "REF-theirs" });
    const [everything, own] = [await print(), await print({ as: "ClientCustomer" })];
    harness.store.update("jobs", id, { is_deleted: 1 });
    expect(everything).toContain("REF-theirs");
    expect(own).toContain("REF-early");
    expect(own).not.toContain("REF-theirs");
  });

  it("is one page that reports no jobs when the truck has none", async () => {
    const { locationId } = harness.acme;
    const empty = await harness.ok("trucks.create", {
      params: { location_id: locationId },
      body: { name: "Idle" },
    });
    expect(await print({ params: { location_id: locationId, truck_id: empty.id } })).toContain("Noopenjobs");
  });

  // The service shortens a document after it has read the jobs, so one database is enough.
  if (harness.database === sqlite) {
    it("contains the first 1,000 jobs of a truck with more, and reports how many it omits", async () => {
      const atYard = { location_id: harness.acme.locationId };
      const busy = await harness.ok("trucks.create", { params: atYard, body: { name: "Busy" } });
      harness.store.multiply("jobs", await createJob({ truck_id: busy.id }), 1004);
      const text = await print({ params: { ...atYard, truck_id: busy.id } });
      expect(text.match(/Drop-off/g)?.length).toBe(1000);
      expect(text).toMatch(/5moreopenjobsarenotprinted\.$/);
    });

    it("ends before the job whose notes exceed the limit, but contains at least one job", async () => {
      const atYard = { location_id: harness.acme.locationId };
      const wordy = await harness.ok("trucks.create", { params: atYard, body: { name: "Wordy" } });
      const lines = "a\n".repeat(1000);
      const notes = { customer_notes: lines, dispatcher_notes: lines, driver_notes: lines };
      harness.store.multiply("jobs", await createJob({ ...notes, truck_id: wordy.id }), 9);
      const text = await print({ params: { ...atYard, truck_id: wordy.id } });
      expect(text.match(/Drop-off/g)?.length).toBe(6);
      expect(text).toMatch(/4moreopenjobsarenotprinted\.$/);
    });
  }

  it("answers 404 for a truck that is missing, at another location, or in another tenant", async () => {
    const { acme, globex } = harness;
    for (const [location_id, truck_id, what] of [
      [acme.locationId, 999_999, "truck 999999"],
      [acme.locationId, globex.truckId, `truck ${globex.truckId}`],
      [globex.locationId, globex.truckId, `location ${globex.locationId}`],
      [999_999, acme.truckId, "location 999999"],
    ] as const) {
      const error = await harness.refused("trucks.job-list-pdf", {
        params: { location_id, truck_id },
        version,
      });
      expect(error).toMatchObject({ status: 404, code: "record_not_found", detail: `There is no ${what}.` });
    }
  });

  describe("by version", () => {
    it.each(["2019/02/08", "2021/04/07", "2021/05/07", "2021/08/02"] as const)("exists at %s", async (at) => {
      const { status, file } = await harness.call("trucks.job-list-pdf", { params: params(), version: at });
      expect([status, Buffer.from(file).subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
    });

    it.each(["2021/11/04", "2023/04/19"] as const)(
      "is missing at %s, and the error names the versions that have it",
      async (at) => {
        const error = await harness.refused("trucks.job-list-pdf", { params: params(), version: at });
        expect(error).toMatchObject({ status: 404, code: "operation_ended", field: null });
        expect(error.detail).toContain("2021/08/02");
      },
    );
  });
});

describeOverHttp("the job list as PDF", (harness) => {
  it("is shown inline, with a file name of truck and date", async () => {
    const { locationId } = harness.acme;
    const body = { name: 'Truck "Łódź" #7/9' };
    const { id } = await harness.ok("trucks.create", { params: { location_id: locationId }, body });
    const { status, headers, bytes } = await harness.send({
      path: `/locations/${locationId}/trucks/${id}/get_jobs_list_pdf`,
      headers: harness.headersOf("Dispatcher"),
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-disposition": `inline; filename="jobs-Truck-__d_-7-9-2026-11-21.pdf"; filename*=UTF-8''jobs-Truck-%C5%81%C3%B3d%C5%BA-7-9-2026-11-21.pdf`,
      "content-length": String(bytes.length),
      "content-type": "application/pdf",
      "x-api-version": "2019/02/08",
    });
  });

  it("is listed by Allow at versions without it", async () => {
    const { locationId, truckId } = harness.acme;
    const { status, headers } = await harness.send({
      path: `/locations/${locationId}/trucks/${truckId}/get_jobs_list_pdf`,
      headers: { ...harness.headersOf("Dispatcher"), "x-api-version": "2023/04/19" },
    });
    expect([status, headers.allow]).toEqual([404, "GET"]);
  });
});
