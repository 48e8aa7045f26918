import { describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { integer, text } from "../../src/models/fields.ts";
import { JobModel, jobComputedFields } from "../../src/models/job.ts";
import { defineModel } from "../../src/models/model.ts";
import {
  parseStoredText,
  StoredRecord,
  toStoredPrefix,
  toStoredText,
} from "../../src/models/stored-record.ts";
import type { ModelChange } from "../../src/models/versions/change.ts";
import { toJson } from "../../src/models/versions/serializer.ts";
import { defineStoredLayout } from "../../src/models/versions/stored-layout.ts";
import { reencodeJobs } from "../../src/store/life/reencode-jobs.ts";
import { jobLayout } from "../../src/store/queries/job-record.ts";
import { inYardOf } from "../operations/jobs/a-job-of.ts";
import type { Harness } from "../support/harness.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

/** The layout of an older version, which lacks the field `scale_ticket`. */
const { scale_ticket: _added, ...olderFields } = JobModel.shape;
const olderLayout = defineStoredLayout(
  defineModel("OlderJobModel", olderFields),
  Object.keys(jobComputedFields),
  [],
);

const awkward = 'quotes " and \\ and \u001f and {"id":1}, [2] \u2028 😀';

/** Fills a store with several batches of jobs, as an older version without the field leaves it. */
async function fillAsOlder(like: Harness): Promise<Harness> {
  const harness = await freshHarness(like);
  const { create } = inYardOf(harness);
  const { truckId } = harness.acme;
  await create({ customer_notes: awkward, flags: awkward, schedule_date: "2026-12-01" });
  await create({ add_to_routes: "1, 2", add_to_routes_settings: [{ route_id: 2 }], truck_id: truckId });
  for (const { id, record } of rowsOf(harness)) {
    const { scale_ticket: _unknown, ...known } = parseStoredText(jobLayout, String(record));
    harness.store.update("jobs", Number(id), { record: toStoredText(olderLayout, known) });
    harness.store.multiply("jobs", Number(id), 249);
  }
  return harness;
}

/** Reads pages from the start, the middle, and the end, at every version. */
async function readPages(harness: Harness) {
  const pages = [];
  for (const version of apiVersions)
    for (const page_index of [1, 11, 25])
      pages.push(await harness.ok("jobs.list", { query: { page_index, page_limit: 20 }, version }));
  return pages;
}

/** Acme's jobs. */
const rowsOf = ({ acme, store }: Harness) =>
  store.rows("jobs").filter((row) => Number(row.tenant_id) === acme.tenantId);

const countOf = (harness: Harness, layout = olderLayout) =>
  rowsOf(harness).filter(({ record }) => String(record).startsWith(toStoredPrefix(layout))).length;

/** Returns a function that is true after this many batches. */
function after(batches: number): () => boolean {
  let begun = 0;
  return () => ++begun > batches;
}

describeInProcess("jobs that were stored before a field was added", (like) => {
  it("look the same before, during, and after the rewrite, which is complete", async () => {
    const harness = await fillAsOlder(like);
    expect(countOf(harness)).toBe(500);
    const before = await readPages(harness);
    expect(before.map(({ results }) => results.length)).toEqual(before.map(() => 20));
    expect(before[0]?.results[0]).toMatchObject({ scale_ticket: null });

    await reencodeJobs(harness.service, after(1));
    expect(countOf(harness)).toBe(300);
    expect(await readPages(harness)).toEqual(before);

    await reencodeJobs(harness.service);
    expect([countOf(harness), countOf(harness, jobLayout)]).toEqual([0, 500]);
    expect(await readPages(harness)).toEqual(before);
    const id = Number(rowsOf(harness)[0]?.id);
    expect(await inYardOf(harness).updated(id, { scale_ticket: "17" })).toMatchObject({ scale_ticket: "17" });
  });

  it("can be rewritten by several processes at once, and after an interruption", async () => {
    const harness = await fillAsOlder(like);
    const before = await readPages(harness);
    const other = openService({ data: harness.store.data, clock: harness.clock });
    // Two writers of one process on one SQLite file would wait for each other.
    const areAtOnce = harness.database.name === "PostgreSQL";
    await reencodeJobs(harness.service, after(1));
    expect(countOf(harness)).toBe(300);
    await Promise.all([reencodeJobs(other), ...(areAtOnce ? [reencodeJobs(harness.service)] : [])]);
    await other.store.close();
    expect([countOf(harness), countOf(harness, jobLayout)]).toEqual([0, 500]);
    expect(await readPages(harness)).toEqual(before);
  });

  it("lose nothing to a program that does not know the field", async () => {
    const harness = await freshHarness(like);
    const { create, updated } = inYardOf(harness);
    const { id } = await create({ scale_ticket: "17" });
    await create({ driver_notes: awkward });
    const before = await readPages(harness);
    const older = () => reencodeJobs(harness.service, () => false, olderLayout);
    await older();
    expect(countOf(harness)).toBe(2);
    expect(await readPages(harness)).toEqual(before);
    await reencodeJobs(harness.service);
    expect(countOf(harness, jobLayout)).toBe(2);
    expect(await readPages(harness)).toEqual(before);

    await older();
    expect(countOf(harness)).toBe(0);
    expect(await updated(id, { driver_notes: "x" })).toMatchObject({ driver_notes: "x", scale_ticket: "17" });
  });
});

describe("a stored field that a version renames", () => {
  const Newest = defineModel("StoredNewest", { amount: integer(), note: text(0, 9), zone: text(0, 9) });
  const { note: _newName, ...kept } = Newest.shape;
  const rename: ModelChange = {
    kind: "model",
    introduced: "2021/11/04",
    text: "flags is renamed to note.",
    model: "StoredNewest",
    before: defineModel("StoredNewest", { ...kept, flags: text(0, 9) }),
    renamed: { note: "flags" },
  };
  const former = defineStoredLayout(rename.before, [], []);
  const layout = defineStoredLayout(Newest, [], [rename]);
  const record = { amount: 3, note: "n", zone: "z" };

  it("is read under its former name, and kept when its text is rewritten", () => {
    const stored = toStoredText(former, { amount: 3, flags: "n", zone: "z" });
    expect(parseStoredText(layout, stored)).toEqual(record);
    const anew = toStoredText(layout, parseStoredText(layout, stored));
    expect(parseStoredText(layout, anew)).toEqual(record);
    for (const written of [stored, anew])
      expect(toJson(Newest, new StoredRecord(layout, written, {}), newestVersion)).toBe(
        '{"amount":3,"note":"n","zone":"z"}',
      );
  });
});
