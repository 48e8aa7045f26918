import { homedir, tmpdir } from "node:os";
import { relative } from "node:path";
import { expect, it } from "vitest";

it("is the run's own, so that what the tester's own holds reaches no test", () => {
  expect(relative(tmpdir(), homedir())).toBe("home");
});
