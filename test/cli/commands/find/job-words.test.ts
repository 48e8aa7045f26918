import { expect, it } from "vitest";
import { type FoundHit, toJobWords } from "../../../../src/cli/commands/find/job-words.ts";
import type { Client } from "../../../../src/client/client.ts";
import { failure } from "../../../../src/errors/errors.ts";

// The customer's name consists of digits, so the text must name it by its id.
const hit: FoundHit = {
  ...{ address: null, address_id: 4, contact_name: null, contact_number: null, customer_id: null },
  ...{ customer_name: null, id: 11, is_active: true, kind: "customer", last_job: null, location_id: null },
  ...{ match: "exact", matched: "name", matched_text: "2400", name: "2400", next_job: null, note: null },
  ...{ off_from: null, off_reason: null, off_until: null, reference_number: null },
};

it("creates the job at the location of the search, and reads times there, also for a user who may not read the customer", async () => {
  const options = { data: "a.db", dateOrder: "dmy", insecure: true, limit: 3, location: "2", utc: true };
  const mayNot = { call: () => Promise.reject(failure("role_not_allowed", "May not.")) } as unknown as Client;
  expect((await toJobWords(mayNot, hit, options)).join(" ")).toBe(
    "jobs create --customer 11 --address 4 --location 2 --data a.db --date-order dmy --insecure --utc",
  );
});
