import { expect, it } from "vitest";
import { toPassedOn } from "../../../../src/cli/commands/find/job-words.ts";

it("makes the job where it was found, and reads times as they were read there", () => {
  const options = { data: "a.db", dateOrder: "dmy", insecure: true, limit: 3, location: "2", utc: true };
  expect(toPassedOn(options).join(" ")).toBe("--data a.db --date-order dmy --insecure --utc");
});
