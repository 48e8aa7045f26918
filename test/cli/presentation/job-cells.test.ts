import { expect, it } from "vitest";
import { jobCells } from "../../../src/cli/presentation/job-cells.ts";
import { plainView } from "../../../src/cli/presentation/view.ts";

const { address, state } = jobCells;

it.each([
  ["unassigned", { truck_id: null }],
  ["dispatched", { truck_id: 3 }],
  ["acknowledged", { is_acknowledged: true, truck_id: 3 }],
  ["declined", { is_declined: true, truck_id: 3 }],
  ["failed", { is_acknowledged: true, is_failed: true, truck_id: 3 }],
  ["completed", { is_acknowledged: true, is_completed: true, truck_id: 3 }],
  ["deleted", { is_completed: true, is_deleted: true, truck_id: 3 }],
])("shows the last event of a job: %s", (word, job) => {
  expect(state?.(job, plainView)).toBe(word);
});

it("shows the street of the address of the job, not another one of its customer", () => {
  const addresses = [
    { id: 71, line_1: "1405 Monroe Street Northeast", locality: "Washington" },
    { id: 72, line_1: "2107 Elfen Glen", locality: "Odenton" },
  ];
  expect(address?.({ address_id: 72, customer: { addresses } }, plainView)).toBe("2107 Elfen Glen, Odenton");
  expect(address?.({ address_id: 9, customer: null }, plainView)).toBe("");
});
