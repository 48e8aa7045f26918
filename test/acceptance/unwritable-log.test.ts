import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpClient } from "../support/http-client.ts";
import { childrenOf, programPath, toEnv } from "../support/program.ts";
import { createTruckHook, initStore, postTruck } from "../support/program-store.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const makeStore = (name: string) => initStore(join(folder, name), ["--allow-private-hooks"]);

/** Starts the program with standard error at a descriptor. */
function startWithLogAt(fd: number | "pipe", argv: readonly string[]) {
  const child = spawn(process.execPath, [programPath, ...argv], {
    env: toEnv(),
    stdio: ["ignore", "pipe", fd],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const exited = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return { child, exited, output: () => output };
}

async function until<Value>(find: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await find();
    if (found) return found;
    await sleep(50);
  }
  throw new Error("It did not come to that.");
}

async function serveWithLogAt(fd: number | "pipe", data: string, options: readonly string[] = []) {
  const argv = ["serve", "--data", data, "--port", "0", "-o", "json", "--log-level", "info", ...options];
  const running = startWithLogAt(fd, argv);
  const line = await until(() => running.output().split("\n")[0]);
  return { ...running, url: (JSON.parse(line) as { url: string }).url };
}

/** Sends requests that each write a line to the log. */
async function ask(url: string, headers: Record<string, string>, count: number): Promise<Set<number>> {
  const client = createHttpClient(url);
  const statuses = new Set<number>();
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      statuses.add((await client.send({ path: "/jobs?page_limit=1", headers })).status);
    }
  };
  await Promise.all(Array.from({ length: 20 }, lane));
  await client.close();
  return statuses;
}

function openFull(): number {
  const fd = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(fd));
  return fd;
}

/** A named pipe, and a function that reads it. */
function makePipe(name: string) {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { openReader, openWriter: () => openSync(path, constants.O_WRONLY) };
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(1024 * 1024);
  let text = "";
  try {
    for (let count = readSync(fd, bytes); count > 0; count = readSync(fd, bytes))
      text += bytes.toString("utf8", 0, count);
  } catch (error) {
    if ((error as { code?: string }).code !== "EAGAIN") throw error;
  }
  return text;
}

describe.skipIf(process.platform !== "linux")("a log that cannot be written", () => {
  // `npm run torture` covers `serve` with workers on a full disk and with a stuck log reader.
  it("does not end the supervisor that reports a dead process", async () => {
    const { data, headers } = await makeStore("supervisor.db");
    const { child, exited, url } = await serveWithLogAt(openFull(), data, ["--workers", "2"]);
    const children = () => childrenOf(child.pid ?? 0);
    const [first = 0] = children();
    process.kill(first, "SIGKILL");
    await until(() => children().length === 2 && !children().includes(first));
    expect(await ask(url, headers, 20)).toEqual(new Set([200]));
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  it("does not end `demo --serve`", async () => {
    const data = join(folder, "demo.db");
    const argv = [
      "demo",
      "--serve",
      "--data",
      data,
      "--port",
      "0",
      "--jobs",
      "10",
      "-o",
      "json",
      "--log-level",
      "info",
    ];
    const { child, exited, output } = startWithLogAt(openFull(), argv);
    const { url } = JSON.parse(await until(() => output().split("\n")[0])) as { url: string };
    // Each answer writes a line to the log, which fails.
    for (let made = 0; made < 20; made++) expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  it("does not end `hooks deliver --watch`, which continues to deliver", async () => {
    const { data, headers } = await makeStore("hooks.db");
    const receiver = await startReceiver((response) => response.writeHead(503).end());
    await createTruckHook(data, receiver.url);
    const server = await serveWithLogAt("pipe", data, ["--no-deliver"]);
    const argv = ["hooks", "deliver", "--watch", "--allow-private-hooks", "--data", data, "-o", "json"];
    const worker = startWithLogAt(openFull(), argv);
    for (let made = 1; made <= 3; made++) {
      expect((await postTruck(server.url, headers)).status).toBe(200);
      // Each attempt writes a line to the log, which fails.
      await until(() => receiver.deliveries.length >= made);
    }
    worker.child.kill("SIGTERM");
    expect(await worker.exited).toBe(0);
    expect(JSON.parse(worker.output())).toMatchObject({ attempts: 3, to_be_retried: 3 });
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  it("delays no request while its reader is stuck; lost lines are counted when it reads again", async () => {
    const { data, headers } = await makeStore("still.db");
    const pipe = makePipe("still.fifo");
    const reader = pipe.openReader();
    const writer = pipe.openWriter();
    const { child, exited, url } = await serveWithLogAt(writer, data);
    closeSync(writer);
    expect(await ask(url, headers, 8000)).toEqual(new Set([200]));
    let log = "";
    await until(() => {
      log += readAll(reader);
      return log.includes("log lines were lost");
    });
    expect(await ask(url, headers, 5)).toEqual(new Set([200]));
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    log += readAll(reader);
    closeSync(reader);
    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [notice, ...others] = lines.filter(({ lines_lost: lost }) => lost !== undefined);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ level: "warn", reason: "the reader of the log is too slow" });
    const told = lines.filter(({ msg }) => msg === "request");
    expect(told.length + Number(notice?.lines_lost)).toBe(8005);
    const after = lines.slice(lines.indexOf(notice ?? {})).filter(({ msg }) => msg === "request");
    expect(after).toHaveLength(5);
  });

  it("is written again when its reader returns", async () => {
    const { data, headers } = await makeStore("again.db");
    const pipe = makePipe("again.fifo");
    const first = pipe.openReader();
    const writer = pipe.openWriter();
    const { child, exited, url } = await serveWithLogAt(writer, data);
    closeSync(writer);
    closeSync(first);
    await ask(url, headers, 10);
    const second = pipe.openReader();
    let log = "";
    await until(() => {
      log += readAll(second);
      return log.match(/"msg":"request"/g)?.length === 10;
    });
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    closeSync(second);
  });
});

describe.skipIf(process.platform !== "linux")("errors without any output", () => {
  it("does not change the exit code", async () => {
    const missing = join(folder, "missing.db");
    for (const words of [["jobs", "list"], ["serve"], ["serve", "--workers", "2"], ["hooks", "deliver"]]) {
      const { exited } = startWithLogAt(openFull(), [...words, "--data", missing]);
      expect(await exited, words.join(" ")).toBe(5);
    }
  });
});
