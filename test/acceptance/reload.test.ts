import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { readReady } from "../../bench/measure.js";
import { startBalancer } from "../support/balancer.ts";
import { until } from "../support/eventually.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { childrenOf, programPath, serveStore, startProgram, toEnv, toExit } from "../support/program.ts";
import { initStore, postTruck } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

const folder = useTempFolder();

const toWholeLines = (text: string) => text.split("\n").slice(0, -1);

const isOk = (answer: Response | null) => answer?.status === 200;

describe("a server that receives SIGHUP", () => {
  it("uses the new configuration without losing a request, and keeps the old one when the new one is invalid", async () => {
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
    const countReloads = () => log.split("Every process has the current configuration").length - 1;
    for (const round of [1, 2]) {
      server.child.kill("SIGHUP");
      await until(() => countReloads() === round);
    }
    // A second SIGHUP arrives before the processes of the first one serve.
    const countAsked = () => log.split("SIGHUP: new processes").length - 1;
    for (const asked of [3, 4]) {
      server.child.kill("SIGHUP");
      await until(() => countAsked() === asked);
    }
    const countGivenUp = () => log.split("A later SIGHUP replaces this one").length - 1;
    await until(() => countReloads() + countGivenUp() === 4);
    expect(log).not.toContain("the old processes continue");
    write("loud");
    server.child.kill("SIGHUP");
    await until(() => log.includes("the old processes continue"));
    isEnding = true;
    await Promise.all(clients);
    expect(lost).toEqual([]);
    expect(made.length).toBeGreaterThan(20);
    expect(new Set(made).size).toBe(made.length);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.end()).toBe(0);
  });
});

describe("a server whose files change", () => {
  it("reports at SIGHUP that its new certificate has expired", async () => {
    const { data } = await initStore(join(folder, "tls.db"));
    const [cert, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
    writeFileSync(cert, tlsFixture.cert);
    writeFileSync(key, tlsFixture.key, { mode: 0o600 });
    const server = await serveStore(data, ["--tls-cert", cert, "--tls-key", key]);
    let log = "";
    server.child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
    writeFileSync(cert, tlsFixture.expiredCert);
    server.child.kill("SIGHUP");
    await until(() => log.includes("Every process has the current configuration"));
    expect(log).toContain("The certificate of this server is no longer valid");
    expect(await server.end()).toBe(0);
  });

  it.skipIf(process.platform !== "linux").each([[[]], [["--workers", "2"]]])(
    "writes to a new file after its log was renamed, loses no line, and ignores SIGUSR1 and SIGUSR2 %j",
    async (options) => {
      const name = `log${options.length}`;
      const { data, headers } = await initStore(join(folder, `${name}.db`));
      const [file, renamed] = [join(folder, name), join(folder, `${name}.1`)];
      const fd = openSync(file, "a", 0o640);
      const argv = ["serve", "--data", data, "--port", "0", "-o", "json", ...options];
      const child = spawn(process.execPath, [programPath, ...argv], {
        env: toEnv(),
        stdio: ["ignore", "pipe", fd],
      });
      closeSync(fd);
      onTestFinished(() => void child.kill("SIGKILL"));
      const exited = toExit(child);
      const { url } = JSON.parse(await readReady(child)) as { url: string };
      const all = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
      expect(all).toHaveLength(options.length === 0 ? 1 : 3);
      for (const pid of all) for (const signal of ["SIGUSR1", "SIGUSR2"]) process.kill(pid, signal);
      const ask = async () => {
        const answer = await fetch(`${url}/locations`, { headers: { ...headers, connection: "close" } });
        expect(answer.status).toBe(200);
        return String(answer.headers.get("x-request-id"));
      };
      const lines = () =>
        readFileSync(renamed, "utf8") + (existsSync(file) ? readFileSync(file, "utf8") : "");
      const asked = [await ask(), await ask()];
      renameSync(file, renamed);
      asked.push(await ask());
      child.kill("SIGHUP");
      const told = options.length === 0 ? "SIGHUP: no reload" : "Every process has the current configuration";
      await until(() => existsSync(file) && readFileSync(file, "utf8").includes(told));
      asked.push(await ask());
      await until(() => readFileSync(file, "utf8").includes(asked[3] ?? ""));
      for (const id of asked) expect(lines()).toContain(id);
      expect(lines()).not.toContain("inspector");
      expect(statSync(file).mode & 0o777).toBe(0o640);
      if (options.length > 0) expect(childrenOf(child.pid ?? 0)).not.toContain(all[1]);
      else expect(childrenOf(child.pid ?? 0)).toEqual([]);
      child.kill("SIGTERM");
      expect(await exited).toBe(0);
    },
  );
});

describe("a server of one process with --config", () => {
  it("uses the new level, limit, and token after SIGHUP, and logs that and what needs a restart, a JSON line each", async () => {
    const { data, headers } = await initStore(join(folder, "one.db"));
    const [config, tokens] = [join(folder, "one.yaml"), join(folder, "metrics.token")];
    const write = (token: string, lines: readonly string[]) => {
      writeFileSync(tokens, `${token.repeat(32)}\n`, { mode: 0o600 });
      writeFileSync(config, [`metrics_token_file: ${tokens}`, ...lines, ""].join("\n"), { mode: 0o600 });
    };
    write("a", ["log_level: error", "rate_limit: off"]);
    const server = startProgram(["serve", "--data", data, "--port", "0", "--config", config, "-o", "json"]);
    const exited = toExit(server);
    onTestFinished(() => void server.kill("SIGTERM"));
    const lines: Record<string, unknown>[] = [];
    let stderr = "";
    server.stderr?.on("data", (chunk) => {
      stderr += chunk;
      lines.splice(0, lines.length, ...toWholeLines(stderr).map((line) => JSON.parse(line)));
    });
    const { url } = JSON.parse(await readReady(server)) as { url: string };
    // An open connection still gets one answer from the old process.
    const get = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${url}${path}`, { headers: { ...headers, connection: "close" } })).status;
    const scrape = (token: string) => get("/metrics", { authorization: `Bearer ${token.repeat(32)}` });
    const list = () => get("/locations", headers);
    expect([await scrape("a"), await scrape("b"), await list(), await list()]).toEqual([200, 401, 200, 200]);
    write("b", ["log_level: info", "rate_limit: 1/1", "socket_mode: '0600'"]);
    server.kill("SIGHUP");
    const told = () => lines.map(({ msg }) => String(msg).replaceAll(`${folder}/`, ""));
    await until(() => told().some((msg) => msg.startsWith("Every process")));
    expect(told().slice(1, 5)).toEqual([
      "rate_limit is 1/1, was off (one.yaml:3).",
      "The file of metrics_token_file has changed: metrics.token.",
      "log_level is info, was error (one.yaml:2).",
      "socket_mode stays 0660; 0600 (one.yaml:4) takes effect after a restart.",
    ]);
    expect([await scrape("a"), await scrape("b"), await list(), await list()]).toEqual([401, 200, 200, 429]);
    await until(() => lines.some(({ status }) => status === 429));
    server.kill("SIGTERM");
    expect(await exited).toBe(0);
  });
});

describe("two servers on one PostgreSQL behind a balancer", () => {
  it("restart one after the other without losing a request or an acknowledged change", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    const { data, headers } = await initStore(database.data);
    const ports = ["0", "0"];
    const start = async (at: number) => {
      const server = await serveStore(data, ["--port", ports[at] ?? "0", "--lame-duck-seconds", "1"]);
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
        const answer = await postTruck(balancer.url, headers, `Truck ${who}-${count}`).catch(String);
        if (typeof answer !== "string" && isOk(answer)) answered += 1;
        else lost.push(typeof answer === "string" ? answer : `${answer.status} ${await answer.text()}`);
        await sleep(20);
      }
    };
    const clients = [1, 2, 3, 4].map(client);
    for (const at of [0, 1]) {
      await servers[at]?.end();
      servers[at] = await start(at);
      await balancer.untilUp(2);
    }
    isEnding = true;
    await Promise.all(clients);
    await balancer.end();
    for (const server of servers) expect(await server.end()).toBe(0);
    const [stored] = database.query("select count(*)::int as trucks from trucks");
    expect(lost).toEqual([]);
    expect(answered).toBeGreaterThan(20);
    expect(stored).toEqual({ trucks: answered });
  });
});
