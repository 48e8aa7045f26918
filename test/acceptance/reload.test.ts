import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { serveStore } from "../support/program.ts";
import { initStore } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const isOk = (answer: Response | null) => answer?.status === 200;

describe("a server that is told to read its configuration anew", () => {
  it("takes it over without a lost request, writes included, and goes on with the former one when it is wrong", async () => {
    const { data, headers } = await initStore(join(folder, "reload.db"));
    const config = join(folder, "serve.yaml");
    const write = (text: string) =>
      writeFileSync(config, `log_level: ${text}\nworkers: 1\n`, { mode: 0o600 });
    write("error");
    const server = await serveStore(data, ["--config", config, "--log-level", "error"]);
    let log = "";
    server.child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
    let isEnding = false;
    const made: number[] = [];
    const lost: string[] = [];
    const client = async (who: number) => {
      for (let count = 0; !isEnding; count++) {
        const body = JSON.stringify({ name: `Truck ${who}-${count}` });
        const asked = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
        const answer = await fetch(`${server.url}/locations/1/trucks`, asked).catch((error: unknown) => {
          lost.push(String(error));
          return null;
        });
        if (answer && isOk(answer)) made.push(((await answer.json()) as { id: number }).id);
        else if (answer) lost.push(`${answer.status} ${await answer.text()}`);
        await sleep(5);
      }
    };
    const clients = [1, 2, 3].map(client);
    const countReloads = () => log.split("Every process has the configuration of now").length - 1;
    for (const round of [1, 2]) {
      server.child.kill("SIGHUP");
      await vi.waitUntil(() => countReloads() === round, { timeout: 20_000 });
    }
    write("loud");
    server.child.kill("SIGHUP");
    await vi.waitUntil(() => log.includes("what served before goes on"), { timeout: 20_000 });
    isEnding = true;
    await Promise.all(clients);
    expect(lost).toEqual([]);
    expect(made.length).toBeGreaterThan(20);
    expect(new Set(made).size).toBe(made.length);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.end()).toBe(0);
  }, 60_000);
});

const hasHaproxy = spawnSync("haproxy", ["-v"]).status === 0;

describe("two servers behind HAProxy", () => {
  it.skipIf(!hasHaproxy)(
    "are restarted one after the other without a lost request (skipped where there is no HAProxy)",
    async () => {
      const { startBalancer } = await import("../support/haproxy.ts");
      const { data, headers } = await initStore(join(folder, "rolling.db"));
      const ports = ["0", "0"];
      const start = async (at: number) => {
        const server = await serveStore(data, ["--port", ports[at] ?? "0", "--lame-duck-seconds", "2"]);
        ports[at] = new URL(server.url).port;
        return server;
      };
      const servers = [await start(0), await start(1)];
      const balancer = await startBalancer(folder, ports);
      await balancer.untilUp(2);
      let isEnding = false;
      let answered = 0;
      const lost: string[] = [];
      const client = async (who: number) => {
        for (let count = 0; !isEnding; count++) {
          const body = JSON.stringify({ name: `Truck ${who}-${count}` });
          const asked = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
          const answer = await fetch(`${balancer.url}/locations/1/trucks`, asked).catch(String);
          if (typeof answer !== "string" && isOk(answer)) answered += 1;
          else lost.push(typeof answer === "string" ? answer : `${answer.status} ${await answer.text()}`);
          await sleep(5);
        }
      };
      const clients = [1, 2, 3, 4].map(client);
      for (const at of [0, 1]) {
        await balancer.untilUp(2);
        await servers[at]?.end();
        servers[at] = await start(at);
      }
      await balancer.untilUp(2);
      isEnding = true;
      await Promise.all(clients);
      const list = await fetch(`${balancer.url}/locations/1/trucks?page_limit=1`, { headers });
      const { total_count: stored } = (await list.json()) as { total_count: number };
      balancer.end();
      await Promise.all(servers.map((server) => server.end()));
      expect(lost).toEqual([]);
      expect(answered).toBeGreaterThan(20);
      expect(stored).toBe(answered);
    },
    60_000,
  );
});
