import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { serveStore } from "../support/program.ts";
import { initStore } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

async function serveFresh(name: string) {
  const { data, token } = await initStore(join(folder, name));
  const server = await serveStore(data, ["--log-level", "info"]);
  const log: Record<string, unknown>[] = [];
  server.child.stderr?.on("data", (chunk) => {
    for (const line of String(chunk).trim().split("\n")) log.push(JSON.parse(line));
  });
  return { log, server, token };
}

/** A connection on which a byte a second is sent after the beginning; gives what was answered when it is closed. */
async function drip(url: string, beginning: string): Promise<{ answer: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  if (beginning !== "") socket.write(beginning);
  const timer = setInterval(() => beginning !== "" && socket.write("a"), 1000);
  socket.on("error", () => undefined);
  const answer = await readToEnd(socket);
  clearInterval(timer);
  return { answer };
}

async function readToEnd(socket: Socket): Promise<string> {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  await once(socket, "close");
  return received;
}

describe("a request that does not arrive", () => {
  it("within 30 s is answered 408, told in the log and cut off, whatever part of it is slow; others are answered meanwhile", async () => {
    const { log, server, token } = await serveFresh("slow.db");
    const head = `POST /locations/1/trucks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nx-tenant-id: 1\r\n`;
    const beginnings = [
      "GET /jobs HTTP/1.1\r\nx-slow: ",
      `${head}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
      `${head}transfer-encoding: chunked\r\n\r\nfff\r\n{`,
      "",
    ];
    const dripping = beginnings.flatMap((beginning) =>
      Array.from({ length: 15 }, () => drip(server.url, beginning)),
    );
    let isOver = false;
    const over = Promise.all(dripping).finally(() => {
      isOver = true;
    });
    const others: number[] = [];
    while (!isOver) {
      others.push((await fetch(`${server.url}/healthz`)).status);
      await sleep(500);
    }
    const answers = (await over).map(({ answer }) => answer);
    for (const answer of answers) {
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 408"]);
      const body = JSON.parse(answer.split("\r\n\r\n")[1] ?? "");
      expect(body).toMatchObject({
        code: "request_timeout",
        detail: "The request did not arrive within 30 s.",
      });
    }
    expect([new Set(others), others.length > 20]).toEqual([new Set([200]), true]);
    expect(await server.end()).toBe(0);
    const told = log.filter(({ msg, status }) => msg === "request" && status === 408);
    expect(told).toHaveLength(60);
    expect(log.filter(({ status }) => status === 400)).toEqual([]);
  }, 120_000);

  it("is cut off at once when it was answered before its body arrived", async () => {
    const { server } = await serveFresh("early.db");
    const asked: [status: number, head: string][] = [
      [401, "POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n{"],
      [401, "POST /hooks HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n{"],
      [404, "POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n"],
      [200, "GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n"],
    ];
    for (const [status, head] of asked) {
      const { answer } = await drip(server.url, head);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nconnection: close\r\n`, "i"));
    }
    expect(await server.end()).toBe(0);
  });

  it("is answered in whole, although nobody reads its large body", async () => {
    const { server } = await serveFresh("unread.db");
    const headers = { "content-length": 1_000_000 };
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const sent = request(`${server.url}/openapi.json`, { agent: false, headers }, (answer) =>
          text(answer).then(resolve, reject),
        );
        sent.on("error", reject);
        sent.end(Buffer.alloc(1_000_000, "x"));
      });
    const answers: string[] = [];
    for (let round = 0; round < 5; round++) {
      answers.push(...(await Promise.all(Array.from({ length: 6 }, ask))));
    }
    expect(new Set(answers.map((answer) => JSON.parse(answer).openapi))).toEqual(new Set(["3.1.0"]));
    expect(await server.end()).toBe(0);
  });

  it("keeps its connection when its body came with it", async () => {
    const { server } = await serveFresh("whole.db");
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    for (const head of ["POST /hooks", "GET /healthz", "POST /nowhere"]) {
      socket.write(`${head} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/connection: keep-alive/i);
    }
    socket.destroy();
    expect(await server.end()).toBe(0);
  });
});
