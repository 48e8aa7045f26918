import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { runProgram, type ServedStore, serveStore } from "../support/program.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
let server: ServedStore;
let token: string;

beforeAll(async () => {
  const env = { DISPATCH_DATA: data };
  token = await seedStore((words, input = "") => runCommand(words, { env, input }));
  server = await serveStore(data);
});

afterAll(() => server.end());

/** One case of each outcome; test/cli/store-and-server.test.ts compares the rest in one process. */
const commands = [
  "jobs list --location 1 -o table",
  "jobs list --all-fields",
  "jobs get 1 --location 2 -o json",
  "trucks update 1 --location 1 --notes x --api-version 2019/02/08",
  "customers create --location 1 --name X",
  "hooks ping 1 -o json --fields http_status",
];

describe("the program, on a store and on a server", () => {
  it.each(commands)("prints the same output and exit code: %s", async (line) => {
    const [onStore, onServer] = await runOnBoth(line.split(" "));
    expect(withoutIdentity(onServer)).toEqual(withoutIdentity(onStore));
    expect(onStore.stdout + onStore.stderr).not.toBe("");
  });

  it("prints the same pages", async () => {
    const [onStore, onServer] = await runOnBoth([
      "trucks",
      "job-list-pdf",
      "1",
      "--location",
      "1",
      "--out",
      "-",
    ]);
    expect([onStore.code, onServer.code]).toEqual([0, 0]);
    expect(onStore.stdout.startsWith("%PDF-")).toBe(true);
    expect(onServer.stdout.length).toBe(onStore.stdout.length);
  });
});

function runOnBoth(words: readonly string[]) {
  return Promise.all([
    runProgram([...words, "--data", data]),
    runProgram([...words, "--url", server.url], { env: { DISPATCH_TOKEN: token } }),
  ]);
}

/** Removes what differs: the request id and the target's name. */
function withoutIdentity({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) {
  const told = stderr
    .replace(/^ {2}request id: .*\n/m, "")
    .replace(/"request_id":(null|"[^"]*")/, '"request_id":…')
    .replaceAll(server.url, "TARGET")
    .replaceAll(data, "TARGET");
  return { code, stdout, stderr: told };
}
