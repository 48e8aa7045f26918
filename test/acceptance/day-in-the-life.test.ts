import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "day.db");

function toWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}

const run = (line: string) => runCommand([...toWords(line), "--data", data]);

async function answer(line: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(`${line} -o json`);
  expect([line, code, stderr]).toEqual([line, 0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

// This test starts some twenty processes, one after another.
it("carries a job through its day: requested, dispatched, returned, failed, retried, completed", async () => {
  await answer('init --tenant "Acme" --location "Main yard"');
  await answer('trucks create --location 1 --name "Truck 7"');
  await answer('trucks create --location 1 --name "Truck 8"');

  // A customer calls.
  const customer = await answer(
    'customers create --location 1 --name "Café Łódź" --contact name=Zofia,number=555-0100 ' +
      '--address "line_1=1745 T Street SE,locality=Washington,region=DC,postcode=20020,country=US,latitude=38.867,longitude=-76.979,is_billing=true,is_shipping=true"',
  );
  expect(customer).toMatchObject({ id: 1, name: "Café Łódź" });
  const job = await answer(
    "jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date 2099-12-01 " +
      '--pickup-date 2099-12-24 --require-image --require-weights --customer-notes "Ring twice"',
  );
  expect(job).toMatchObject({ id: 1, truck_id: null });

  // The first truck acknowledges the job and returns it; the second accepts it and finds the gate locked.
  expect(await answer("jobs assign 1 --location 1 --truck-id 1")).toMatchObject({ truck_id: 1 });
  expect(await answer("jobs acknowledge 1 --location 1")).toMatchObject({ is_acknowledged: true });
  expect(await answer("jobs unassign 1 --location 1")).toMatchObject({ dispatched_on: null, truck_id: null });
  const dispatched = await answer("jobs dispatch 1 --location 1 --truck-id 2 --new-schedule-date 2099-12-02");
  expect(dispatched).toMatchObject({
    is_acknowledged: false,
    original_schedule_date: "2099-12-01T00:00:00.000000",
    schedule_date: "2099-12-02T00:00:00.000000",
    truck_id: 2,
  });
  expect(await answer('jobs fail 1 --location 1 --fail-reason "Gate locked"')).toMatchObject({
    is_failed: true,
    times_failed: 1,
  });
  const refused = await run("jobs complete 1 --location 1");
  expect([refused.code, refused.stdout]).toEqual([6, ""]);
  expect(refused.stderr).toContain("Job 1 has failed, so it cannot be completed.");

  // The second attempt adds the weight and a photo, and completes the job.
  expect(await answer("jobs update 1 --location 1 --is-failed false")).toMatchObject({ times_failed: 1 });
  await answer(
    "jobs add-material 1 --location 1 --material-name Concrete --heavy-weight 9200 --light-weight 4100.5",
  );
  await answer("jobs add-item 1 --location 1 --description Tyres --heavy-weight 120 --deduct-weight 0");
  await answer("jobs add-image 1 --location 1 --image-url https://example.com/1.jpg");
  expect(await answer("jobs complete 1 --location 1 --yes")).toMatchObject({
    images: [{ url: "https://example.com/1.jpg" }],
    is_completed: true,
    materials: [{ heavy_weight: 9200, light_weight: 4100.5, material_name: "Concrete" }],
    truck_id: 2,
  });

  // A drop-off is followed by a pickup.
  const open = await answer("jobs list --location 1 --completed false");
  expect(open).toMatchObject({
    results: [
      {
        address_id: 1,
        dispatcher_notes: "Pickup for job 1.",
        id: 2,
        schedule_date: "2099-12-24T00:00:00.000000",
        type: "P",
      },
    ],
    total_count: 1,
  });
  await answer("jobs assign 2 --location 1 --truck-id 2");
  const list = join(folder, "truck-8.pdf");
  const printed = await run(`trucks job-list-pdf 2 --location 1 --out ${list}`);
  expect([printed.code, readFileSync(list, "latin1").slice(0, 5)]).toEqual([0, "%PDF-"]);

  const timeline = (await answer("jobs timeline 1 --location 1")) as { results: { action: string }[] };
  expect(timeline.results.map(({ action }) => action)).toEqual([
    "created",
    "dispatched",
    "acknowledged",
    "returned",
    "dispatched",
    "failed",
    "updated",
    "updated",
    "updated",
    "updated",
    "completed",
  ]);
  expect(timeline.results[5]).toMatchObject({
    after: { fail_reason: "Gate locked", is_failed: true, times_failed: 1 },
    before: { fail_reason: null, is_failed: false, times_failed: 0 },
    operation: "jobs.update",
    username: "owner",
  });
});
