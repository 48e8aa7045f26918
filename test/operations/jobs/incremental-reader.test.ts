import fc from "fast-check";
import { expect, it } from "vitest";
import { aJob } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf } from "./a-job-of.ts";

/** Changes of a tenant's jobs, with reads of the client in between. */
const happening = fc.oneof(
  fc.record({ does: fc.constant("create" as const), saysBefore: fc.boolean() }),
  fc.record({ does: fc.constant("change" as const), which: fc.nat(), saysBefore: fc.boolean() }),
  fc.record({ does: fc.constant("together" as const), count: fc.integer({ min: 2, max: 4 }) }),
  fc.record({ does: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ does: fc.constant("read" as const) }),
);

describeOnEveryTarget("a client that polls for jobs changed since its last read", (harness) => {
  const yard = inYardOf(harness);
  const call = () => ({ params: { location_id: harness.acme.locationId } });

  it("misses no job, whatever times clients set, and for changes at the same moment", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 14 }), async (happenings) => {
        const { acme, clock } = harness;
        const notes = new Map<number, string>();
        const seen = new Map<number, string>();
        let last = "1970-01-01T00:00:00.000000";
        let count = 0;
        const write = async (id: number | null, saysBefore: boolean) => {
          const note = `${last} ${count++}`;
          const body = {
            dispatcher_notes: note,
            ...(saysBefore && { last_updated_on: "2020-01-01T00:00:00" }),
          };
          const job =
            id === null
              ? await harness.ok("jobs.create", { ...call(), body: aJob(acme, body) })
              : await yard.updated(id, body);
          notes.set(job.id, note);
        };
        const read = async () => {
          const { results } = await harness.ok("jobs.list", {
            query: { last_updated_gte: last, page_limit: 1000 },
          });
          for (const { dispatcher_notes, id, last_updated_on } of results) {
            if (dispatcher_notes !== null) seen.set(id, dispatcher_notes);
            if (last_updated_on !== null && last_updated_on > last) last = last_updated_on;
          }
        };
        for (const one of [...happenings, { does: "read" as const }]) {
          const ids = [...notes.keys()];
          if (one.does === "read") await read();
          else if (one.does === "wait") clock.advance(one.ms);
          else if (one.does === "create") await write(null, one.saysBefore);
          else if (one.does === "change") await write(ids[one.which % ids.length] ?? null, one.saysBefore);
          else
            await Promise.all(
              [...Array(one.count).keys(), -1].map((n) => (n < 0 ? read() : write(null, false))),
            );
        }
        for (const [id, note] of notes) expect(seen.get(id)).toBe(note);
      }),
      { numRuns: 8 },
    );
  });

  it("uses the time of the change by the clock of the store, not a time from a client", async () => {
    const { id } = await yard.create({ last_updated_on: "2020-01-01T00:00:00" });
    harness.clock.advance(60_000);
    const since = harness.clock.now();
    harness.clock.advance(1);
    const listed = async () =>
      (await harness.ok("jobs.list", { query: { last_updated_gte: since } })).results.map((job) => job.id);
    expect(await listed()).toEqual([]);
    const changed = await yard.updated(id, { flags: "x", last_updated_on: "2020-01-01T00:00:00" });
    expect(changed.last_updated_on).toBe("2020-01-01T00:00:00.000000");
    expect(await listed()).toEqual([id]);
    harness.clock.advance(1);
    const after = harness.clock.now();
    harness.clock.advance(1);
    await harness.ok("jobs.add-image", {
      params: yard.at(id),
      body: { url: "https://example.com/a.jpg" },
    });
    expect(await harness.ok("jobs.list", { query: { last_updated_gte: after } })).toMatchObject({
      total_count: 1,
    });
  });
});
