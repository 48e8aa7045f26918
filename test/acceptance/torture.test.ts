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

/** A little of one part, with what it reports. Scenarios of one part are tried in one run. */
function run(part: string): Promise<{ rows: Row[]; said: string }> {
  let running = runs.get(part);
  if (!running) {
    running = start(part);
    runs.set(part, running);
  }
  return running;
}

const runs = new Map<string, Promise<{ rows: Row[]; said: string }>>();

async function start(part: string): Promise<{ rows: Row[]; said: string }> {
  const argv = [torture, "--short", "--json", "--seed", "1", "--only", part];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 170_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return { rows: JSON.parse(stdout) as Row[], said: stderr };
}

describe("the torture, a little of each part", () => {
  it.each([
    ["kills:import", "loses nothing when an import is killed", "import"],
    ["kills:migrate", "keeps the store as it was when a migration is killed", "migrate"],
    [
      "kills:workers",
      "keeps what was acknowledged, and delivers it, when a server with workers is killed",
      "serve",
    ],
    ["kills:secrets", "keeps every secret when a change of keys is killed", "secrets"],
    ["disks", "refuses writes on a full disk, says so, and goes on when there is room", "store on"],
    ["disks", "goes on when its log is on a full disk, and writes it when there is room", "log on"],
    ["disks", "goes on, with workers too, when its log takes nothing", "log to /dev/full"],
    ["disks", "goes on, with workers too, when nobody reads its log any more", "log to a closed pipe"],
    ["disks", "goes on watching the outbox when its log takes nothing", "deliverer"],
    ["disks", "leaves nothing of a backup for which there is no room", "backup"],
    ["requests", "answers generated requests as the document says", ""],
    ["sockets", "answers others beside connections that speak no HTTP", ""],
    ["floods", "answers others beside a flood of requests for public pages, in little memory", ""],
    ["neighbours", "answers a tenant beside a noisy one", ""],
    ["soak", "keeps no handle of a mixed load open", ""],
  ])(
    "%s: %s",
    async (part, _, what) => {
      const { rows, said } = await run(part);
      const own = rows.filter((row) => row.what.startsWith(what) || row.what === "broke off");
      expect(own.length).toBeGreaterThan(0);
      expect(
        own.filter(({ wrong }) => wrong > 0),
        said,
      ).toEqual([]);
    },
    180_000,
  );
});
