import { expect, it } from "vitest";
import { startPager } from "../../src/cli/output/pager.ts";

const { PATH = "" } = process.env;

it("a missing pager is skipped", async () => {
  expect(await startPager("no-such-pager-anywhere -x", { PATH })).toBeNull();
});

it("a pager that closes early causes no error", async () => {
  const pager = await startPager("true", { PATH });
  for (let page = 0; page < 50; page++) await pager?.write("a line\n".repeat(10_000));
  await pager?.end();
  expect(pager?.isClosed()).toBe(true);
});

it("the program waits for a pager that reads to the end", async () => {
  const pager = await startPager("grep -q last", { PATH });
  await pager?.write("first\n".repeat(100_000));
  await pager?.write("last\n");
  await pager?.end();
  expect(pager?.isClosed()).toBe(true);
});
