import { once } from "node:events";
import { get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { until } from "../support/eventually.ts";
import { serveStore, startProgram, toExit } from "../support/program.ts";
import { type CallerHeaders, createTruckHook, initStore, postTruck } from "../support/program-store.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const makeStore = (name: string) => initStore(join(folder, name), ["--allow-private-hooks"]);

/** Sends the beginning of a request; resolves when the server waits for the rest. */
async function beginRequest(url: string, token: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const headers = `host: x\r\nauthorization: Bearer ${token}\r\nx-tenant-id: 1\r\ncontent-length: 500\r\n`;
  socket.write(`POST /locations/1/trucks HTTP/1.1\r\n${headers}expect: 100-continue\r\n\r\n`);
  const [first] = await once(socket, "data");
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 /);
  let rest = "";
  socket.on("data", (chunk) => {
    rest += chunk;
  });
  return { closed: once(socket, "close").then(() => rest) };
}

/** The status of an address, requested on a new connection. */
const getAlone = (url: string, headers?: CallerHeaders) =>
  new Promise<number>((resolve, reject) => {
    const asked = get(url, { agent: false, headers: { ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once("error", reject);
  });

const kinds = [[[]], [["--workers", "2"]]];

describe("a server that receives SIGTERM", () => {
  it.each(kinds)(
    "cuts off running requests after --lame-duck-seconds and --drain-seconds (%j), and exits with 0",
    async (options) => {
      const { data, token } = await makeStore(`cut${options.length}.db`);
      const server = await serveStore(data, [...options, "--lame-duck-seconds", "1", "--drain-seconds", "1"]);
      const { closed } = await beginRequest(server.url, token);
      expect(await server.end()).toBe(0);
      expect(await closed).toBe("");
    },
  );

  it.each(kinds)("ends at once at a second signal (%j)", async (options) => {
    const { data, token } = await makeStore(`twice${options.length}.db`);
    const server = await serveStore(data, [...options, "--drain-seconds", "3600"]);
    const exited = toExit(server.child);
    const { closed } = await beginRequest(server.url, token);
    server.child.kill("SIGTERM");
    // A server that refuses connections has received the signal.
    await until(() =>
      getAlone(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
    server.child.kill("SIGINT");
    expect(await exited).toBe(-1);
    expect(await closed).toBe("");
  });

  it.each(kinds)(
    "is not ready during --lame-duck-seconds and keeps answering, in every process (%j); a second signal ends it at once",
    async (options) => {
      const { data, headers } = await makeStore(`duck${options.length}.db`);
      const server = await serveStore(data, [...options, "--lame-duck-seconds", "3600"]);
      const exited = toExit(server.child);
      // The system distributes new connections among the processes.
      const ask = async (path: string) =>
        (await Promise.all([1, 2, 3, 4].map(() => getAlone(`${server.url}${path}`, headers)))).join();
      expect(await ask("/readyz")).toBe("200,200,200,200");
      server.child.kill("SIGTERM");
      await until(async () => (await ask("/readyz")) === "503,503,503,503");
      expect(await ask("/tenants")).toBe("200,200,200,200");
      expect((await postTruck(server.url, headers)).status).toBe(200);
      expect(await ask("/readyz")).toBe("503,503,503,503");
      server.child.kill("SIGTERM");
      expect(await exited).toBe(-1);
    },
  );

  it.each(["-1", "3601", "ten", ""])("refuses %j for --drain-seconds", async (text) => {
    for (const words of [["serve"], ["hooks", "deliver"], ["demo", "--serve"]]) {
      const { code, stderr } = await runCommand([...words, `--drain-seconds=${text}`]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("--drain-seconds must be a number from 0 to"),
      ]);
    }
  });
});

describe("hooks deliver --watch that receives SIGTERM", () => {
  it("cuts off an attempt without an answer after --drain-seconds, and exits with 0", async () => {
    const { data, headers } = await makeStore("hooks.db");
    const receiver = await startReceiver(() => undefined);
    await createTruckHook(data, receiver.url);
    const server = await serveStore(data, ["--no-deliver"]);
    const watching = [
      "--watch",
      "--allow-private-hooks",
      "--drain-seconds",
      "1",
      "--data",
      data,
      "-o",
      "json",
    ];
    const worker = startProgram(["hooks", "deliver", ...watching]);
    onTestFinished(() => void worker.kill("SIGKILL"));
    const exited = toExit(worker);
    expect((await postTruck(server.url, headers)).status).toBe(200);
    await until(() => receiver.deliveries.length > 0);
    worker.kill("SIGTERM");
    expect(await exited).toBe(0);
    expect(await server.end()).toBe(0);
  });
});
