import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const torture = fileURLToPath(new URL("../../bench/torture/run.js", import.meta.url));

/** A row of the table: what was done to the program, and how much of it did not hold. */
interface Row {
  part: string;
  what: string;
  figure: string;
  wrong: number;
}

/** A little of one part, with what it reports. */
async function run(part: string): Promise<{ rows: Row[]; said: string }> {
  const argv = [torture, "--short", "--json", "--seed", "1", "--only", part];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 110_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return { rows: JSON.parse(stdout) as Row[], said: stderr };
}

describe("the torture, a little of each part", () => {
  it.each([
    ["kills:import", "loses nothing when an import is killed"],
    ["kills:migrate", "keeps the store as it was when a migration is killed"],
    ["kills:workers", "keeps what was acknowledged, and delivers it, when a server with workers is killed"],
    ["kills:secrets", "keeps every secret when a change of keys is killed"],
    ["disks:store", "refuses writes on a full disk, says so, and goes on when there is room"],
    ["disks:log on", "goes on when its log is on a full disk"],
    ["disks:log to /dev/full, two", "goes on with two workers when its log takes nothing"],
    ["disks:log to a closed pipe", "goes on when nobody reads its log any more"],
    ["disks:deliverer", "goes on delivering when its log takes nothing"],
    ["disks:backup", "leaves nothing of a backup for which there is no room"],
    ["requests", "answers generated requests as the document says"],
    ["sockets", "answers others beside connections that speak no HTTP"],
    ["neighbours", "answers a tenant beside a noisy one"],
    ["soak", "keeps no handle of a mixed load open"],
  ])(
    "%s: %s",
    async (part) => {
      const { rows, said } = await run(part);
      expect(rows.length).toBeGreaterThan(0);
      expect(
        rows.filter(({ wrong }) => wrong > 0),
        said,
      ).toEqual([]);
    },
    120_000,
  );
});
