import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyJob } from "../support/copy-job.ts";
import { runProgram, type ServedStore, serveStore } from "../support/program.ts";
import { createJobWords, customerBody } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
let server: ServedStore;
let token = "";

beforeAll(async () => {
  const run = (words: readonly string[], input = "") => runProgram([...words, "--data", data], { input });
  await run(["init", "--tenant", "Acme"]);
  await run(["customers", "create", "--location", "1", "--body", "-"], customerBody("First"));
  await run(["trucks", "create", "--location", "1", "--name", "Truck 7"]);
  const note = ["--dispatcher-notes", "line\n".repeat(100)];
  await run([...createJobWords, "--truck-id", "1", ...note]);
  token = JSON.parse((await run(["tokens", "create", "--username", "owner", "-o", "json"])).stdout).token;
  copyJob(data, 60);
  server = await serveStore(data);
});

afterAll(() => server.end());

function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "x-tenant-id": "1",
  };
  return fetch(server.url + path, {
    ...init,
    headers: { ...headers, "x-api-version": version, ...init.headers },
  });
}

const version = "2021/08/02";

/** Counts the requests that the server answers one after another while another request runs. */
async function countMeanwhile(work: Promise<Response>): Promise<{ answer: Response; meanwhile: number }> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let meanwhile = 0;
  while (!isDone) {
    expect((await request("/locations/1/trucks/1")).status).toBe(200);
    meanwhile += 1;
  }
  return { answer: await done, meanwhile };
}

function toCustomer(from: number, street = "Somewhere"): string {
  const { addresses, ...customer } = JSON.parse(customerBody("Same Name"));
  const all = Array.from({ length: 250 }, (_, index) => ({
    ...addresses[0],
    is_billing: index === 0,
    is_shipping: index === 0,
    line_1: `${((from + index) * 7919) % 99_991} ${`${street} `.repeat(4)}${from + index}`,
  }));
  return JSON.stringify({ ...customer, addresses: all });
}

describe("serve, during one long request", () => {
  it("prints a long job list and answers other requests", async () => {
    const work = request("/locations/1/trucks/1/get_jobs_list_pdf");
    const { answer, meanwhile } = await countMeanwhile(work);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    expect(meanwhile).toBeGreaterThan(20);
  });

  it("compares many addresses for duplicates, answers other requests, and finds the similar one", async () => {
    const create = (body: string, edits: number) =>
      request(`/locations/1/customers?max_address_edit_distance=${edits}`, { body, method: "POST" });
    for (let made = 0; made < 3000; made += 250) expect((await create(toCustomer(made), 0)).status).toBe(200);
    // The same letters in another order: only the edit distance distinguishes these streets.
    const far = await countMeanwhile(create(toCustomer(100_000, "erehwemoS"), 20));
    expect(far.answer.status).toBe(200);
    expect(far.meanwhile).toBeGreaterThan(20);
    const near = await create(toCustomer(200_000), 20);
    expect([near.status, await near.json()]).toMatchObject([409, { code: "duplicate_record" }]);
  });

  it.runIf(process.platform === "linux")("starts threads only when such a request arrives", async () => {
    const idle = await serveStore(data);
    const threadsOf = ({ child }: ServedStore) => readdirSync(`/proc/${child.pid}/task`).length;
    expect(threadsOf(server)).toBeGreaterThan(threadsOf(idle));
    expect(await idle.end()).toBe(0);
  });
});
