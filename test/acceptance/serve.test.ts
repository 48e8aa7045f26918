import { existsSync, readdirSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { until } from "../support/eventually.ts";
import { runProgram, serveStore, startProgram, toExit } from "../support/program.ts";
import { initStore } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const makeStore = (name: string) => initStore(join(folder, name));

describe("serve", () => {
  it("answers all of 50 running requests after SIGTERM, and exits with 0", async () => {
    const { data, token } = await makeStore("drained.db");
    const server = await serveStore(data);
    const running = await Promise.all(
      Array.from({ length: 50 }, (_, index) => beginRequest(server.url, token, { name: `Truck ${index}` })),
    );
    const ended = server.end();
    await until(() =>
      fetch(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    const statuses = await Promise.all(running.map((finish) => finish()));
    expect(statuses).toEqual(Array.from({ length: 50 }, () => 200));
    expect(await ended).toBe(0);
    const { stdout } = await runCommand(["trucks", "list", "--location", "1", "--data", data, "-o", "json"]);
    expect(JSON.parse(stdout).total_count).toBe(50);
  });

  it("reports a taken port, with exit code 2", async () => {
    const { data } = await makeStore("twice.db");
    const server = await serveStore(data);
    const { port } = new URL(server.url);
    const { code, stderr } = await runProgram(["serve", "--data", data, "--port", port]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("EADDRINUSE")]);
    await server.end();
  });
});

describe("demo", () => {
  it("leaves no store behind when killed halfway, and can run again", async () => {
    const data = join(folder, "killed", "demo.db");
    const child = startProgram(["demo", "--data", data, "--jobs", "50000"]);
    const exited = toExit(child);
    while (!existsSync(join(folder, "killed")) || readdirSync(join(folder, "killed")).length === 0)
      await sleep(20);
    await sleep(300);
    child.kill("SIGKILL");
    expect(await exited).toBe(-1);
    expect(existsSync(data)).toBe(false);
    const again = await runCommand(["demo", "--data", data, "--jobs", "10", "-o", "json"]);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      { data, location_id: expect.any(Number), tenant_id: expect.any(Number), user: expect.any(String) },
    ]);
  });

  it("prints its sentences without log lines between them", async () => {
    const data = join(folder, "spoken.db");
    const child = startProgram(["demo", "--serve", "--data", data, "--jobs", "10", "--port", "0"]);
    const exited = toExit(child);
    let told = "";
    child.stderr?.on("data", (chunk) => {
      told += String(chunk);
    });
    for await (const chunk of child.stdout ?? []) if (String(chunk).includes("x-tenant-id")) break;
    child.kill("SIGINT");
    expect([await exited, told]).toEqual([0, "Creating a demo store with 10 jobs …\n"]);
  });

  it("does not replace a store with user data", async () => {
    const { data } = await makeStore("own.db");
    const { code, stderr } = await runProgram(["demo", "--serve", "--data", data, "--port", "0"]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("is not a demo store")]);
  });
});

/** Sends a request without the end of its body; returns a function that sends the rest. */
function beginRequest(url: string, token: string, body: object): Promise<() => Promise<number>> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-length": Buffer.byteLength(text),
    "content-type": "application/json",
    expect: "100-continue",
    "x-tenant-id": "1",
  };
  const sent = request(`${url}/locations/1/trucks`, { method: "POST", headers, agent: false });
  return new Promise((resolve, reject) => {
    sent.once("error", reject);
    sent.once("continue", () => {
      sent.write(text.slice(0, 3));
      resolve(() => finish(sent, text.slice(3)));
    });
    sent.flushHeaders();
  });
}

function finish(sent: ClientRequest, rest: string): Promise<number> {
  return new Promise((resolve, reject) => {
    sent.once("response", (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(rest);
  });
}
