import { expect, it } from "vitest";
import { createClient } from "../../src/library/index.ts";
import { aJob } from "../support/builders.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

describeOverHttpOnEveryDatabase("pages of jobs during writes", (harness) => {
  it("return each job that exists during the whole iteration exactly once, while its schedule changes", async () => {
    const { acme } = harness;
    const params = { location_id: acme.locationId };
    const create = (schedule_date: string | null) =>
      harness.ok("jobs.create", { params, body: aJob(acme, { schedule_date }) });
    const toDate = (day: number) => `2026-12-${String((day % 28) + 1).padStart(2, "0")}`;
    const kept: number[] = [];
    for (let made = 0; made < 24; made++) kept.push((await create(made % 7 === 0 ? null : toDate(made))).id);
    const deleted = (await create("2026-12-31")).id;

    const { tenantId, token } = acme.callers.Dispatcher;
    const { origin: url } = await openQuietServer(harness.service);
    const client = createClient({ tenant: tenantId, token, url });
    const seen: number[] = [];
    const query = { completed: false, deleted: true, page_limit: 3 };
    for await (const { id } of client.pages("jobs.list", { query })) {
      seen.push(id);
      // Move a job that is still to come to the front, and a job already seen to the end.
      const [ahead = 0, behind = 0] = [kept.at(-seen.length) ?? kept[0], seen[0]];
      for (const [job_id, schedule_date] of [
        [ahead, "2026-01-01"],
        [behind, "2027-01-01"],
      ] as const)
        await harness.ok("jobs.update", {
          params: { ...params, job_id: job_id ?? 0 },
          body: { schedule_date },
        });
      if (seen.length % 9 === 0) await create(toDate(seen.length));
      if (seen.length === 5)
        await harness.ok("jobs.update", {
          params: { ...params, job_id: deleted },
          body: { is_deleted: true },
        });
      if (seen.length > 60) break;
    }
    expect(seen.filter((id) => kept.includes(id))).toEqual(kept);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).not.toContain(deleted);
  });
});
