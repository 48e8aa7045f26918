import { renameSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { childrenOf, runProgram, serveStore } from "../support/program.ts";
import { initStore } from "../support/program-store.ts";
import { parseScrape, type ScrapedSeries, seriesValue } from "../support/scrape.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const makeStore = (name: string) => initStore(join(folder, name));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a GET request on a new connection. */
const getAlone = (url: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { agent: false }, (response) => resolve(text(response))).once("error", reject);
  });

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error("It did not come to that.");
}

describe("serve --workers", () => {
  it("serves with several processes at one address; replaces one that dies, and keeps acknowledged changes", async () => {
    const { data, headers } = await makeStore("workers.db");
    const server = await serveStore(data, ["--workers", "3"]);
    const supervisor = server.child.pid ?? 0;
    const first = childrenOf(supervisor);
    expect(first).toHaveLength(3);
    let isEnding = false;
    const answered: number[] = [];
    const client = async (who: number) => {
      for (let made = 0; !isEnding; made++) {
        const body = JSON.stringify({ name: `Truck ${who}-${made}` });
        const asked = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
        // A killed process closes its connections.
        const answer = await fetch(`${server.url}/locations/1/trucks`, asked).catch(() => null);
        if (answer?.status === 200) answered.push(((await answer.json()) as { id: number }).id);
      }
    };
    const clients = [1, 2, 3, 4].map(client);
    for (const killed of first.slice(0, 2)) {
      const before = answered.length;
      await until(() => answered.length > before + 10);
      process.kill(killed, "SIGKILL");
      await until(async () => {
        const now = childrenOf(supervisor);
        return now.length === 3 && !now.includes(killed);
      });
    }
    isEnding = true;
    await Promise.all(clients);
    expect(answered.length).toBeGreaterThan(0);
    expect(new Set(answered).size).toBe(answered.length);
    expect(await server.end()).toBe(0);
    const { stdout } = await runCommand(
      toWords(`trucks list --location 1 --page-limit 1000 --data ${data} -o json`),
    );
    const kept = (JSON.parse(stdout) as { results: { id: number }[] }).results.map(({ id }) => id);
    expect(answered.filter((id) => !kept.includes(id))).toEqual([]);
  });

  it.each(["together", "one right after the other"])(
    "serves at the same address again when all processes are killed %s, at a port that the system chose",
    async (how) => {
      const { data } = await makeStore("killed.db");
      const server = await serveStore(data, ["--workers", "2"]);
      const supervisor = server.child.pid ?? 0;
      const [first = 0, second = 0] = childrenOf(supervisor);
      process.kill(first, "SIGKILL");
      // The new process runs but does not listen yet.
      if (how !== "together")
        await until(() => childrenOf(supervisor).some((pid) => pid !== first && pid !== second));
      process.kill(second, "SIGKILL");
      await until(() => getAlone(`${server.url}/healthz`).then(Boolean, () => false));
      expect(childrenOf(supervisor)).not.toContain(second);
      expect(await server.end()).toBe(0);
    },
  );

  it("reports all processes in one scrape, whichever answers; no count goes down when one is killed", async () => {
    const { data } = await makeStore("scraped.db");
    const options = ["--workers", "2", "--no-deliver"];
    const own = ["--metrics-port", "0", "--log-level", "info"];
    const [server, apart] = await Promise.all([
      serveStore(data, options),
      serveStore(data, [...options, ...own], {}),
    ]);
    let log = "";
    apart.child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
    const scrape = async (url: string) => parseScrape(await getAlone(`${url}/metrics`));
    const scrapeUntil = async (url: string, isRight: (series: ScrapedSeries[]) => boolean) => {
      let series: ScrapedSeries[] = [];
      await until(async () => {
        series = await scrape(url);
        return isRight(series);
      });
      return series;
    };
    const workers = (series: ScrapedSeries[], state: string) =>
      seriesValue(series, "dispatch_workers", { state });
    const healthy = (series: ScrapedSeries[]) =>
      seriesValue(series, "dispatch_http_requests_total", { operation: "healthz", status: "200" });
    for (let asked = 0; asked < 6; asked += 1) await getAlone(`${server.url}/healthz`);
    for (let asked = 0; asked < 3; asked += 1) {
      const series = await scrape(server.url);
      expect([healthy(series), workers(series, "answering"), workers(series, "wanted")]).toEqual([6, 2, 2]);
      expect(seriesValue(series, "dispatch_outbox_pending")).toBe(0);
    }
    process.kill(childrenOf(server.child.pid ?? 0)[0] ?? 0, "SIGKILL");
    const after = await scrapeUntil(server.url, (series) => workers(series, "answering") === 2);
    expect([healthy(after), seriesValue(after, "dispatch_worker_restarts_total")]).toEqual([6, 1]);

    // A separate metrics port answers even while no process serves.
    await until(() => log.includes("Metrics at"));
    const [, figures = ""] = /Metrics at (\S+)\/metrics/.exec(log) ?? [];
    for (const pid of childrenOf(apart.child.pid ?? 0)) process.kill(pid, "SIGSTOP");
    const alone = await scrape(figures);
    expect([workers(alone, "answering"), workers(alone, "wanted")]).toEqual([0, 2]);
    for (const pid of childrenOf(apart.child.pid ?? 0)) process.kill(pid, "SIGCONT");
    expect(await Promise.all([server.end(), apart.end()])).toEqual([0, 0]);
  });

  it("answers every connection whose process died before it accepted it", async () => {
    const { data } = await makeStore("untaken.db");
    const server = await serveStore(data, ["--workers", "2"]);
    const [stopped = 0] = childrenOf(server.child.pid ?? 0);
    process.kill(stopped, "SIGSTOP");
    let over = 0;
    const asking = Array.from({ length: 12 }, () =>
      fetch(`${server.url}/healthz`)
        .catch(() => null)
        .then(() => void over++),
    );
    // One of the connections reached the process that accepts none.
    await until(() => over === asking.length - 1);
    process.kill(stopped, "SIGKILL");
    await Promise.all(asking);
    expect(await server.end()).toBe(0);
  });

  it("keeps working after each process has died where the system distributes the connections", async () => {
    const { data } = await makeStore("shared-out.db");
    const env = { NODE_CLUSTER_SCHED_POLICY: "none" };
    const server = await serveStore(data, ["--workers", "2", "--log-level", "info"], { env });
    let told = "";
    server.child.stderr?.on("data", (chunk) => {
      told += chunk;
    });
    const countListening = () => told.split("Server listening").length - 1;
    await until(() => countListening() === 2);
    for (const [index, killed] of childrenOf(server.child.pid ?? 0).entries()) {
      process.kill(killed, "SIGKILL");
      await until(() => countListening() === 3 + index);
    }
    const isServed = () =>
      fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isServed);
    expect(await server.end()).toBe(0);
  });

  it("works with the healthy processes while one cannot start, and retries until it can", async () => {
    const { data } = await makeStore("away.db");
    const server = await serveStore(data, ["--workers", "3"]);
    let log = "";
    server.child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
    const supervisor = server.child.pid ?? 0;
    const [killed = 0, ...healthy] = childrenOf(supervisor);
    renameSync(data, `${data}.away`);
    process.kill(killed, "SIGKILL");
    await until(() => (log.match(/exit code 5\); another/g) ?? []).length >= 3);
    expect(healthy.filter(isRunning)).toEqual(healthy);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    renameSync(`${data}.away`, data);
    await until(async () => childrenOf(supervisor).length === 3);
    expect(healthy.filter(isRunning)).toEqual(healthy);
    expect(await server.end()).toBe(0);
  });

  it("ends all processes when it receives SIGINT, and when it is killed itself", async () => {
    const { data } = await makeStore("ended.db");
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const server = await serveStore(data, ["--workers", "2"]);
      const children = childrenOf(server.child.pid ?? 0);
      expect(children).toHaveLength(2);
      server.child.kill(signal);
      await until(() => !children.some(isRunning));
    }
  });

  it("ends soon while a process that replaces another is still starting", async () => {
    const { data } = await makeStore("starting.db");
    const server = await serveStore(data, ["--workers", "2"]);
    const supervisor = server.child.pid ?? 0;
    const first = childrenOf(supervisor);
    process.kill(first[0] ?? 0, "SIGKILL");
    await until(async () => childrenOf(supervisor).some((pid) => !first.includes(pid)));
    const children = childrenOf(supervisor);
    const askedMs = performance.now();
    expect(await server.end()).toBe(0);
    expect(performance.now() - askedMs).toBeLessThan(8000);
    expect(children.filter(isRunning)).toEqual([]);
  });

  it("says once why it cannot serve, with exit code 2", async () => {
    const { data } = await makeStore("taken.db");
    const server = await serveStore(data);
    const { port } = new URL(server.url);
    const { code, stderr } = await runProgram(["serve", "--data", data, "--port", port, "--workers", "2"]);
    expect([code, stderr.match(/EADDRINUSE/g)?.length]).toEqual([2, 1]);
    await server.end();
  });

  it.each(["0", "-1", "257", "two"])("refuses %s processes", async (count) => {
    const child = await runCommand(["serve", "--workers", count]);
    expect([child.code, child.stderr]).toEqual([
      2,
      expect.stringContaining("--workers must be a number from 1 to 256"),
    ]);
  });
});
