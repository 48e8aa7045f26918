import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { runProgram, serveStore, startProgram, toExit } from "../support/program.ts";
import { createOwnerToken, createTruckHook, postTruck } from "../support/program-store.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let made = 0;

/** A store with a webhook for trucks. */
async function makeStore(url: string): Promise<string> {
  made += 1;
  const data = join(folder, `store-${made}.db`);
  await runCommand(["init", "--allow-private-hooks", "--data", data]);
  await createTruckHook(data, url);
  return data;
}

const createTruck = (data: string, run = runCommand) =>
  run(["trucks", "create", "--location", "1", "--name", "T", "--data", data, "-o", "json"]);

const watch = (data: string) => ["hooks", "deliver", "--watch", "--data", data, "--allow-private-hooks"];

function statuses(data: string): unknown[] {
  const connection = new SqliteDatabase(data, { readonly: true, timeout: 5000 });
  const found = connection.prepare("select status from deliveries order by id").pluck().all();
  connection.close();
  return found;
}

describe("a command on a store", () => {
  it("delivers the events that it caused before it ends", async () => {
    const { url, deliveries } = await startReceiver();
    const data = await makeStore(url);
    const { code, stdout, stderr } = await createTruck(data, runProgram);
    expect([code, stderr]).toEqual([0, ""]);
    expect(deliveries.map(({ body }) => JSON.parse(body).data)).toEqual([JSON.parse(stdout)]);
    expect(statuses(data)).toEqual(["delivered"]);
  });

  it("ends without an answer, leaves the rest in the outbox, and says so", async () => {
    const { url, deliveries } = await startReceiver(() => undefined);
    const data = await makeStore(url);
    const { code, stderr } = await createTruck(data, runProgram);
    expect(deliveries).toHaveLength(1);
    expect(code).toBe(0);
    expect(stderr).toBe("1 webhook delivery is pending; `serve` or `hooks deliver` sends them.\n");
    expect(statuses(data)).toEqual(["pending"]);
  });
});

describe("the events that a command leaves in the outbox", () => {
  it("are delivered only if private addresses are allowed and the key is known; otherwise the command says why not", async () => {
    const { url, deliveries } = await startReceiver();
    const data = await makeStore(url);
    const keyFile = join(folder, "secret.key");
    writeFileSync(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
    await runCommand(["store", "policy", "--private-hooks", "refuse", "--data", data]);
    const refused = await createTruck(data);
    expect([refused.code, refused.stderr]).toEqual([
      0,
      "1 webhook delivery is pending; `serve` or `hooks deliver` sends them, those to private addresses only with --allow-private-hooks.\n",
    ]);
    await runCommand(["secrets", "encrypt", "--secret-key-file", keyFile, "--data", data]);
    await runCommand(["store", "policy", "--private-hooks", "allow", "--data", data]);
    const sealed = await createTruck(data);
    expect(sealed.stderr).toContain(
      "pending; `serve` or `hooks deliver` sends them, those with an encrypted secret only with its key (`secrets status`).\n",
    );
    expect(deliveries).toEqual([]);
  });
});

describe("hooks deliver", () => {
  it("delivers what is due, once, and counts it", async () => {
    const { url, deliveries } = await startReceiver((response) => response.writeHead(isUp ? 200 : 503).end());
    let isUp = false;
    const data = await makeStore(url);
    await createTruck(data);
    await createTruck(data);
    isUp = true;
    const connection = new SqliteDatabase(data, { timeout: 5000 });
    connection.exec("update deliveries set next_attempt_on = '2000-01-01T00:00:00.000000'");
    connection.close();
    const { code, stdout } = await runProgram(["hooks", "deliver", "--data", data, "-o", "json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      attempts: 2,
      cancelled: 0,
      delivered: 2,
      failed: 0,
      oldest_pending_delivery: null,
      to_be_retried: 0,
    });
    expect(deliveries).toHaveLength(4);
    const again = await runCommand(["hooks", "deliver", "--data", data]);
    expect(again.stdout).toContain("Nothing is pending.");
  });

  it("--watch delivers the events of others until Ctrl-C", async () => {
    const { url, deliveries } = await startReceiver();
    const data = await makeStore(url);
    const server = await serveStore(data, ["--no-deliver"]);
    const { headers } = await createOwnerToken(data);
    const post = () => postTruck(server.url, headers);
    expect((await post()).status).toBe(200);
    const ready = (await (await fetch(`${server.url}/readyz`)).json()) as object;
    expect(ready).toEqual({ status: "ready", oldest_pending_delivery: expect.stringMatching(/^20/) });
    expect(deliveries).toEqual([]);

    const watching = startProgram(watch(data));
    const exited = toExit(watching);
    await eventually(() => expect(deliveries).toHaveLength(1));
    await post();
    await eventually(() => expect(deliveries).toHaveLength(2));
    watching.kill("SIGINT");
    expect(await exited).toBe(0);
    await server.end();
  });

  it("makes each attempt once, and attempts of one record in order, with four workers on one store", async () => {
    const { url, deliveries } = await startReceiver();
    const data = await makeStore(url);
    const server = await serveStore(data, ["--no-deliver"]);
    const owner = await createOwnerToken(data);
    const headers = {
      ...owner.headers,
      "content-type": "application/json",
      "x-api-version": "2023/04/19",
    };
    const change = (truck: number, weight: number) =>
      fetch(`${server.url}/locations/1/trucks/${truck}`, {
        method: "PATCH",
        headers,
        body: JSON.stringify({ weight }),
      });
    const workers = [1, 2, 3, 4].map(() => startProgram(watch(data)));
    const exits = workers.map(toExit);
    const trucks = [1, 2, 3, 4, 5];
    for (const _ of trucks) await postTruck(server.url, owner.headers);
    for (let weight = 1; weight <= 20; weight += 1) {
      await Promise.all(trucks.map((truck) => change(truck, weight)));
    }
    await eventually(
      () => expect(statuses(data).filter((status) => status !== "delivered")).toEqual([]),
      200,
    );
    for (const worker of workers) worker.kill("SIGINT");
    expect(await Promise.all(exits)).toEqual([0, 0, 0, 0]);
    await server.end();
    expect(deliveries).toHaveLength(105);
    expect(new Set(deliveries.map((delivery) => delivery.headers["webhook-id"])).size).toBe(105);
    for (const truck of trucks) {
      const told = deliveries.map(({ body }) => JSON.parse(body).data).filter(({ id }) => id === truck);
      expect(told.map(({ weight }) => weight)).toEqual([
        null,
        ...Array.from({ length: 20 }, (__, index) => index + 1),
      ]);
    }
  });

  it("is refused for a server", async () => {
    const { code, stderr } = await runCommand(["hooks", "deliver"], {
      env: { DISPATCH_URL: "http://127.0.0.1:1" },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("works on a store")]);
  });
});

describe("serve", () => {
  it("ends in time with a delivery under way, and the next run makes that delivery at once", async () => {
    let isUp = false;
    const { url, deliveries } = await startReceiver((response) => {
      if (isUp) response.end();
    });
    const data = await makeStore(url);
    const server = await serveStore(data, ["--drain-seconds", "2"]);
    const connection = new SqliteDatabase(data, { timeout: 5000 });
    const { headers } = await createOwnerToken(data);
    await postTruck(server.url, headers);
    await eventually(() => expect(deliveries).toHaveLength(1));
    expect(await server.end()).toBe(0);
    expect(connection.prepare("select attempt, leased_by, status from deliveries").all()).toEqual([
      { attempt: 0, leased_by: null, status: "pending" },
    ]);
    connection.close();
    isUp = true;
    const next = await serveStore(data);
    await eventually(() => expect(deliveries).toHaveLength(2));
    await next.end();
    expect(statuses(data)).toEqual(["delivered"]);
  });
});
