import { expect, it } from "vitest";
import { tellRepeated } from "../../src/http/serve-store.ts";

it("a fault that repeats each second is logged at its start, then once a minute with the number of repetitions, and again after a pause", () => {
  let now = 0;
  const told: [second: number, message: string, repeated: number][] = [];
  const fault = tellRepeated(
    (error, repeated) => told.push([now / 1000, (error as Error).message, repeated]),
    () => now,
  );
  for (; now < 130_000; now += 1000) fault(new Error("No database answers there."));
  fault(new Error("The disk is full."));
  now += 30_000;
  fault(new Error("No database answers there."));
  expect(told).toEqual([
    [0, "No database answers there.", 0],
    [60, "No database answers there.", 59],
    [120, "No database answers there.", 59],
    [130, "The disk is full.", 0],
    [160, "No database answers there.", 9],
  ]);
});
