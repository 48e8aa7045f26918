import { expect, it, onTestFinished } from "vitest";
import { jobsAt } from "../../../../src/board/board.ts";
import { followBoard } from "../../../../src/cli/commands/day/follow-board.ts";
import type { CliContext } from "../../../../src/cli/context.ts";
import { readSettings } from "../../../../src/cli/settings.ts";
import { openTarget } from "../../../../src/cli/target/target.ts";
import { utc } from "../../../../src/local-time/zone.ts";

import { aJob } from "../../../support/builders.ts";
import { inThisProcess, noConfig } from "../../../support/command-line.ts";
import { databases } from "../../../support/databases.ts";
import { openPreparedStore } from "../../../support/prepared-store.ts";
import { serveStore } from "../../../support/program.ts";

const stores = databases.map((database) => ({
  database,
  on: `a store on ${database.name}`,
  isServed: false,
}));
const servers = stores.slice(0, 1).map((store) => ({ ...store, on: "a server", isServed: true }));

it.each([...stores, ...servers])(
  "a board is read again when something has changed, and what is late is judged anew, on $on",
  async ({ database: kind, isServed }) => {
    const { acme, database } = await openPreparedStore(kind);
    onTestFinished(() => database.remove());
    const server = isServed ? await serveStore(database.data, ["--no-deliver"]) : null;
    onTestFinished(async () => void (await server?.end()));
    const { tenantId, token } = acme.callers.Dispatcher;
    const place = server ? { DISPATCH_URL: server.url } : { DISPATCH_DATA: database.data };
    const env = {
      ...place,
      DISPATCH_CONFIG: noConfig,
      DISPATCH_TENANT: String(tenantId),
      DISPATCH_TOKEN: token,
    };
    // No more of it is looked at.
    const context = { env, http: inThisProcess, stderr: { write: () => undefined } } as unknown as CliContext;
    const target = await openTarget(context, readSettings(context, {}), { readsAgain: true });
    onTestFinished(() => target.close());
    const { client } = target;
    const params = { location_id: acme.locationId };
    const create = (changes: object) =>
      client.call("jobs.create", { params, body: aJob(acme, { ...changes }) as never });
    const first = await create({ schedule_date: "2025-12-01", truck_id: acme.truckId });
    const second = await create({});

    let now = "2025-12-01T10:00:00.000000";
    const request = { date: "2025-12-01", locationId: null, tenant: target.tenant, trayMax: 3 };
    const look = followBoard(target, () => ({ ...request, now, zones: { all: [utc], of: () => utc } }));
    const idsOf = ({ locations, unscheduled }: Awaited<ReturnType<typeof look>>) => [
      locations.flatMap(jobsAt).map(({ id }) => id),
      unscheduled.oldest.map(({ id }) => id),
    ];

    const before = await look();
    expect(idsOf(before)).toEqual([[first.id], [second.id]]);
    now = "2025-12-01T10:05:00.000000";
    const same = await look();
    expect([same.locations, same.generated_on]).toEqual([before.locations, now]);

    await client.call("jobs.update", {
      params: { ...params, job_id: second.id },
      body: { schedule_date: "2025-12-01" },
    });
    const changed = await look();
    expect(idsOf(changed)).toEqual([[second.id, first.id], []]);
    expect(changed.totals.late).toBe(0);

    now = "2025-12-02T00:00:00.000000";
    const later = await look();
    expect([later.totals.late, later.locations[0]?.trucks[0]?.totals.late]).toEqual([2, 1]);
  },
);
