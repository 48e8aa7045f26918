import { expect, it } from "vitest";
import { apiVersions } from "../../../src/models/api-versions.ts";
import { aJob } from "../../support/builders.ts";
import { addFleet } from "../../support/fleet.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** Text that could be mistaken for the structure of a stored job. */
const awkward = 'quotes " and \\ and \u001f and {"id":1}, [2] \u2028 😀 </script>';

describeOnEveryTarget("a job that was stored in another layout", (harness) => {
  async function createJob() {
    const { acme } = harness;
    const { assetId, assetTypeId, dumpId } = addFleet(harness.store, acme);
    const body = aJob(acme, {
      add_to_routes: "1, 2",
      add_to_routes_settings: [{ day_of_week: 3, route_id: 2, starts_on: "2026-12-01" }],
      asset_dropped_id: assetId,
      asset_id: assetId,
      asset_type_id: assetTypeId,
      customer_notes: awkward,
      dump_location_id: dumpId,
      flags: awkward,
      is_completed: true,
      priority: -7,
      reference_number: awkward,
      schedule_date: "2026-12-01T08:00:00,25+02:00",
      truck_id: acme.truckId,
    });
    return harness.ok("jobs.create", { params: { location_id: acme.locationId }, body });
  }

  it("is shown in the current layout, at every version", async () => {
    const { id, customer_notes, flags } = await createJob();
    expect([customer_notes, flags]).toEqual([awkward, awkward]);
    const fast = await showAtEveryVersion(harness, id);
    const record = recordOf(harness, id);
    const tag = record.slice(0, record.indexOf("\u001f"));
    expect(tag).toMatch(/^\w+$/);
    for (const other of ["", "00000000", tag.toUpperCase().concat("x")]) {
      harness.store.update("jobs", id, { record: record.replace(tag, other) });
      expect(await showAtEveryVersion(harness, id)).toEqual(fast);
    }
    // Store the record as one piece, with its members in reverse order.
    const pieces = record.split("\u001f").slice(1);
    const members = pieces.filter((piece) => piece !== "").reverse();
    harness.store.update("jobs", id, { record: `older\u001f${members.join(",")}` });
    expect(await showAtEveryVersion(harness, id)).toEqual(fast);
  });

  it("shows null for a new field, and omits a removed field", async () => {
    const { id, ...job } = await createJob();
    const record = recordOf(harness, id);
    const older = record
      .replace(/^\w+/, "older")
      .replace(/"customer_notes":"(?:[^"\\]|\\.)*",/, '"colour":"red",');
    expect(older).not.toContain("customer_notes");
    harness.store.update("jobs", id, { record: older });
    const params = { job_id: id, location_id: harness.acme.locationId };
    expect(await harness.ok("jobs.get", { params })).toEqual({ ...job, customer_notes: null, id });
  });
});

function recordOf(harness: Harness, id: number): string {
  const row = harness.store.rows("jobs").find((job) => job.id === id);
  return String(row?.record);
}

async function showAtEveryVersion(harness: Harness, id: number) {
  const params = { job_id: id, location_id: harness.acme.locationId };
  const shown = [];
  for (const version of apiVersions) shown.push(await harness.ok("jobs.get", { params, version }));
  return shown;
}
