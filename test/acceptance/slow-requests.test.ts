import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { drip } from "../support/drip.ts";
import { runProgram, serveStore } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

async function serveFresh(name: string) {
  const data = join(folder, name);
  await runProgram(["init", "--data", data, "--tenant", "Acme"]);
  return serveStore(data);
}

describe("a request whose body the server does not read, or that never arrives", () => {
  it("is cut off at once when it was answered before its body arrived", async () => {
    const server = await serveFresh("early.db");
    const asked: [status: number, head: string][] = [
      [401, "POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n{"],
      [401, "POST /hooks HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n{"],
      [404, "POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n"],
      [200, "GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n"],
    ];
    for (const [status, head] of asked) {
      const answer = await drip(server.url, head);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nconnection: close\r\n`, "i"));
    }
    expect(await server.end()).toBe(0);
  });

  it("gets its whole answer, although the server never reads its large body", async () => {
    const server = await serveFresh("unread.db");
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

  it("keeps its connection if its body arrived together with its headers", async () => {
    const server = await serveFresh("whole.db");
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
