import { expect, it } from "vitest";
import { type FoundHit, toJobWords } from "../../../../src/cli/commands/find/job-words.ts";

const hit: FoundHit = {
  ...{ address: null, address_id: 4, contact_name: null, contact_number: null, customer_id: null },
  ...{ customer_name: null, id: 11, is_active: true, kind: "customer", last_job: null, location_id: null },
  ...{ match: "exact", matched: "name", matched_text: "Potomac", name: "Potomac", next_job: null },
  reference_number: null,
};

it("makes the job where it was found, and reads times as they were read there", () => {
  const options = { data: "a.db", dateOrder: "dmy", insecure: true, limit: 3, location: "2", utc: true };
  expect(toJobWords(hit, options).join(" ")).toBe(
    "jobs create --requested-by 11 --address-id 4 --location 2 --data a.db --date-order dmy --insecure --utc",
  );
});
