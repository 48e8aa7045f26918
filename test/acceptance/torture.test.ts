import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const torture = fileURLToPath(new URL("../../bench/torture/run.js", import.meta.url));

/** A row of the table: what the torture did, and how many checks failed. */
interface Row {
  part: string;
  what: string;
  figure: string;
  wrong: number;
}

async function run(part: string): Promise<{ rows: Row[]; said: string }> {
  const argv = [torture, "--short", "--json", "--seed", "1", "--only", part];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 170_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return { rows: JSON.parse(stdout) as Row[], said: stderr };
}

// `npm run torture` does the rest. Other tests cover one case of each part.
describe("a short round of the torture test", () => {
  it.each([
    ["kills:secrets", "keeps every secret when a change of keys is killed"],
    ["requests", "answers generated requests as the document says"],
    ["soak", "keeps no handle of a mixed load open"],
  ])(
    "(%s) %s",
    async (part) => {
      const { rows, said } = await run(part);
      expect(rows.length).toBeGreaterThan(0);
      expect(
        rows.filter(({ wrong }) => wrong > 0),
        said,
      ).toEqual([]);
    },
    180_000,
  );
});
