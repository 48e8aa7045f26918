import { expect, it } from "vitest";
import { readLocations } from "../../../src/cli/target/locations.ts";
import { readZones } from "../../../src/cli/target/zones.ts";
import type { Caller } from "../../../src/core/caller.ts";
import { failure } from "../../../src/errors/errors.ts";

/** A target that cannot be reached the first time. */
function createCaller(): Caller & { calls: number } {
  return {
    calls: 0,
    async call() {
      this.calls += 1;
      if (this.calls === 1) throw failure("target_unreachable", "Nobody answers.");
      const list = { current_limit: 1000, current_page: 1, results: [], total_count: 0, total_pages: 0 };
      return { kind: "json", text: JSON.stringify(list) };
    },
    close: async () => undefined,
  };
}

it.each([
  ["the locations", (caller: Caller) => readLocations(caller)],
  ["their zones", (caller: Caller) => readZones({ caller, tenant: { time_zone: "UTC" } }, false)],
])("asks for %s once, and again only after a failure", async (_, read) => {
  const caller = createCaller();
  await expect(read(caller)).rejects.toThrow("Nobody answers.");
  await read(caller);
  await read(caller);
  expect(caller.calls).toBe(2);
});
