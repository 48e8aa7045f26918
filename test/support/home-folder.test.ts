import { homedir, tmpdir } from "node:os";
import { relative } from "node:path";
import { expect, it } from "vitest";

it("belongs to the test run, so that the tester's own settings reach no test", () => {
  expect(relative(tmpdir(), homedir())).toBe("home");
});
