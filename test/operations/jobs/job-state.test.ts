import { expect, it } from "vitest";
import { jobsAt } from "../../../src/board/board.ts";
import { loadBoard } from "../../../src/board/load-board.ts";
import { toMapPage } from "../../../src/cli/commands/jobs-map/map-page.ts";
import { jobCells } from "../../../src/cli/presentation/job-cells.ts";
import { plainView } from "../../../src/cli/presentation/view.ts";
import { isLate } from "../../../src/local-time/late.ts";
import { utc } from "../../../src/local-time/zone.ts";
import { type JobMarks, type JobState, toJobState } from "../../../src/models/job-state.ts";
import { wholeTenant } from "../../../src/store/access/row-scopes.ts";
import type { Json } from "../../support/builders.ts";
import { clientOfToken } from "../../support/local-client.ts";
import { describeInProcess } from "../../support/targets.ts";
import { inYardOf } from "./a-job-of.ts";

const flags = ["is_acknowledged", "is_completed", "is_declined", "is_deleted", "is_failed"] as const;
const day = "2026-11-21";

/** Every combination of the fields that determine a job's state. */
const combinations: JobMarks[] = Array.from({ length: 2 ** (flags.length + 2) }, (_, bits) => {
  const isSet = (bit: number) => Math.floor(bits / 2 ** bit) % 2 === 1;
  return {
    ...Object.fromEntries(flags.map((flag, bit) => [flag, isSet(bit)])),
    arrived_on: isSet(flags.length) ? `${day}T09:00:00.000000` : null,
    dispatched_on: `${day}T08:00:00.000000`,
    truck_id: isSet(flags.length + 1) ? 1 : null,
  };
});

/** Derives the state independently of the service. */
function toWord(job: JobMarks): JobState {
  if (job.is_deleted) return "deleted";
  if (job.is_completed) return "completed";
  if (job.is_failed) return "failed";
  if (job.truck_id === null) return "unassigned";
  if (job.is_declined) return "declined";
  if (job.arrived_on !== null) return "in progress";
  return job.is_acknowledged ? "acknowledged" : "dispatched";
}

it.each(combinations)("a job has one state: %j", (job) => {
  expect(toJobState(job)).toBe(toWord(job));
});

it.each(combinations)("is late when an open job is past its time: %j", (job) => {
  const isOver = ["completed", "deleted", "failed"].includes(toWord(job));
  const scheduled = { ...job, schedule_date: `${day}T10:00:00.000000` };
  expect(isLate(scheduled, `${day}T10:00:00.000001`, utc)).toBe(!isOver);
  expect(isLate(scheduled, `${day}T10:00:00.000000`, utc)).toBe(false);
  expect(isLate(job, `${day}T10:00:00.000001`, utc)).toBe(false);
});

it("does not treat a job that was dispatched again as in progress, whatever was reported before", () => {
  const job = { arrived_on: `${day}T07:59:59.999999`, dispatched_on: `${day}T08:00:00.000000`, truck_id: 1 };
  expect(toJobState(job)).toBe("dispatched");
  expect(toJobState({ ...job, dispatched_on: null })).toBe("in progress");
});

describeInProcess("the state of a job", (harness) => {
  it("is the same in a list, on the board, on the map and in the counts, for all flags", async () => {
    const { acme, service } = harness;
    const words = new Map<number, JobState>();
    const made = await inYardOf(harness).create({ schedule_date: day });
    await service.store.write({ tenantId: acme.tenantId, rowScopes: wholeTenant }, async ({ jobs }) => {
      const kept = await jobs.find(acme.locationId, made.id);
      if (!kept) throw new Error("The job is not there.");
      for (const marks of combinations) {
        const truck_id = marks.truck_id === null ? null : acme.truckId;
        const metadata = { ...kept.metadata, created_on: harness.clock.now() };
        const { id: _, ...fields } = kept.job;
        const { job } = await jobs.insert({ ...fields, ...(marks as typeof fields), truck_id }, metadata);
        words.set(job.id, toWord(marks));
      }
      words.set(made.id, "unassigned");
    });

    const { results } = await harness.ok("jobs.list", { query: { page_limit: 1000, schedule_gte: day } });
    const listed = results.map((job) => [Number(job.id), jobCells.state?.(job as Json, plainView)] as const);
    expect(new Map(listed)).toEqual(words);

    const active = new Map([...words].filter(([, word]) => word !== "deleted"));
    const now = harness.clock.now();
    const tenant = { id: acme.tenantId, name: "Acme" };
    const zones = { all: [utc], of: () => utc };
    const request = { date: day, locationId: null, now, tenant, zones };
    const board = await loadBoard(await clientOfToken(service, acme.callers.Dispatcher), request);
    const drawn = board.locations.flatMap(jobsAt).map(({ id, state }) => [id, state] as const);
    expect(new Map(drawn)).toEqual(active);

    const rows = toMapPage(board, () => null).matchAll(
      /<tr><td>[^<]*<\/td><td>(\d+)<\/td><td>.*?<\/td><td>([a-z ]+)/g,
    );
    expect(new Map([...rows].map(([, id, state]) => [Number(id), state]))).toEqual(active);

    const counts = await service.store.read(
      { tenantId: acme.tenantId, rowScopes: wholeTenant },
      ({ statistics }) => statistics.jobsByState(`${day}T00:00:00.000000`, "2026-11-22T00:00:00.000000"),
    );
    expect(counts).toEqual(toCounts([...words.values()]));
  });
});

function toCounts(words: readonly string[]): Record<string, number> {
  const distinct = [...new Set(words)];
  return Object.fromEntries(distinct.map((word) => [word, words.filter((other) => other === word).length]));
}
