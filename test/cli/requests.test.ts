import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const onStore = { DISPATCH_DATA: join(folder, "store.db"), DISPATCH_CONFIG: join(folder, "config") };
const lines: string[] = [];
let onServer: Record<string, string>;
let end: () => Promise<void>;

beforeAll(async () => {
  const onFirst = (words: string[], input = "") => runCommand(words, { env: onStore, input });
  const token = await seedStore(onFirst);
  await onFirst("asset-types create --name bin".split(" "));
  await onFirst("assets create --number A-1 --asset-type-id 1 --quantity 1".split(" "));
  const { code, stderr } = await onFirst("jobs update 1 --asset-dropped-id 1".split(" "));
  expect(code, stderr).toBe(0);
  ({ end, env: onServer } = await serveStore(onStore.DISPATCH_DATA, token, {
    write: (line) => void lines.push(line),
  }));
});

afterAll(() => end());

/** Returns the requests of a command, without those that every command starts with. */
async function requestsOf(...words: string[]): Promise<string[]> {
  lines.length = 0;
  const { code, stderr } = await runCommand(words, { env: onServer });
  expect(code, stderr).toBe(0);
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "request")
    .map(({ method, path }) => `${method} ${path}`)
    .filter((request) => request !== "GET /tenants");
}

it("does not ask the server again for what it knows when it shows a job", async () => {
  const requests = await requestsOf("jobs", "get", "1");
  expect(requests.toSorted()).toMatchInlineSnapshot(`
    [
      "GET /locations",
      "GET /locations/1/jobs/1",
      "GET /locations/1/trucks/1",
      "GET /locations/1/users/1",
      "GET /record_place",
    ]
  `);
});

it("reads the locations once, when a command needs them several times", async () => {
  const requests = await requestsOf(
    ..."jobs create --requested-by 1 --address-id 1 --type D --schedule-date tomorrow".split(" "),
  );
  expect(requests.filter((request) => request === "GET /locations")).toHaveLength(1);
});
