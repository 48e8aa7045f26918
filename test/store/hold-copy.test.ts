import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/runtime/clock.ts";
import { holdCopy } from "../../src/store/life/copy-sqlite.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

it("says of a copy that is damaged what is wrong with it, not that the disk is full", () => {
  const damaged = join(folder, "damaged.db");
  writeFileSync(damaged, Buffer.alloc(8192, 7));
  const hold = { since: systemClock.now(), reason: "a test" };
  const detail = expect.stringContaining("is not a SQLite file");
  expect(() => holdCopy(damaged, hold)).toThrow(
    expect.objectContaining({ code: "store_unreadable", violations: [expect.objectContaining({ detail })] }),
  );
});
