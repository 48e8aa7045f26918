import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { listen } from "../support/listen.ts";

const env = { DISPATCH_TOKEN: "1.secret" };
const tenants = { results: [{ id: 1, name: "Acme" }], total_count: 1 };

/**
 * Servers other than a dispatch service. The program first requests the token's tenants, then sends the command's
 * request.
 */
const servers: [name: string, answer: (response: ServerResponse, path: string) => void, why: RegExp][] = [
  [
    "answers HTML",
    (response) => send(response, 200, "text/html", "<html>It works!</html>"),
    /text\/html instead of JSON/,
  ],
  [
    "answers an empty body",
    (response) => send(response, 200, "application/json", ""),
    /answers an empty body/,
  ],
  ["answers nothing at all", (response) => response.writeHead(204).end(), /answers nothing instead of JSON/],
  [
    "answers half a JSON",
    (response) => send(response, 200, "application/json", '{"results":[{"id":1'),
    /invalid JSON/,
  ],
  [
    "answers 502 with HTML",
    (response) => send(response, 502, "text/html", "<h1>Bad gateway</h1>"),
    /answers with status 502/,
  ],
  [
    "answers 500 with JSON of its own",
    (response) => send(response, 500, "application/json", '{"error":"boom"}'),
    /answers with status 500/,
  ],
  [
    "answers 404 with HTML",
    (response) => send(response, 404, "text/html", "<h1>Not found</h1>"),
    /answers with status 404/,
  ],
  [
    "redirects to another address",
    (response) => response.writeHead(301, { location: "https://elsewhere.example/" }).end(),
    /redirects to https:\/\/elsewhere\.example\/; use that in --url/,
  ],
  [
    "is another service",
    (response) => send(response, 200, "application/json", '{"swagger":"2.0"}'),
    /other JSON/,
  ],
  [
    "answers a list instead of a page",
    (response) => send(response, 200, "application/json", "[]"),
    /other JSON/,
  ],
  ["answers a word", (response) => send(response, 200, "application/json", '"hello"'), /other JSON/],
  [
    "breaks off its answer",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"results":');
      response.socket?.destroySoon();
    },
    /cannot be reached/,
  ],
  [
    "answers half a list of jobs",
    (response, path) => {
      const text = JSON.stringify(tenants);
      send(response, 200, "application/json", path.startsWith("/tenants") ? text : '{"results":[{"id"');
    },
    /invalid JSON/,
  ],
];

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

describe("a foreign server", () => {
  it.each(servers)("and %s is reported in a sentence, with exit code 8", async (_, answer, why) => {
    const url = await listen((request, response) => answer(response, request.url ?? ""));
    for (const words of [
      ["jobs", "list"],
      ["jobs", "list", "-o", "csv"],
      ["trucks", "create", "--location", "1", "--name", "T"],
    ]) {
      const { code, stdout, stderr } = await runCommand([...words, "--url", url], { env });
      expect([code, stdout]).toEqual([8, ""]);
      expect(stderr).toMatch(
        /^error: (?:The server cannot be reached|A proxy answered instead of the server|The address (?:redirects|is not a dispatch service))\n {2}why: /,
      );
      expect(stderr).toMatch(why);
      expect(stderr).toContain(url);
      expect(stderr).not.toContain(env.DISPATCH_TOKEN);
    }
  });

  it("and does not speak HTTP is reported", async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket);
      socket.end("SSH-2.0-OpenSSH_9.6\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(["jobs", "list", "--url", url], { env });
    expect([code, stderr]).toEqual([8, expect.stringContaining(`${url} cannot be reached`)]);
  });

  it("is reported as JSON with --output json", async () => {
    const url = await listen((_, response) => send(response, 502, "text/html", "<h1>Bad gateway</h1>"));
    const { code, stderr } = await runCommand(["jobs", "list", "--url", url, "-o", "json"], { env });
    expect([code, JSON.parse(stderr).code]).toEqual([8, "gateway_error"]);
  });

  it("is reported as older if it lacks the operation", async () => {
    const problem = { code: "operation_not_found", detail: "There is no operation at /search.", field: null };
    const url = await listen((request, response) => {
      const isKnown = request.url?.startsWith("/tenants");
      const body = JSON.stringify(isKnown ? tenants : { ...problem, errors: [problem], status: 404 });
      send(response, isKnown ? 200 : 404, "application/json", body);
    });
    const { code, stderr } = await runCommand(["find", "potomac", "--url", url], { env });
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`${url} has no search.find: its program is older`),
    ]);
  });

  it("gets the token once, and a redirect never gets it", async () => {
    const seen: (string | undefined)[] = [];
    const other = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const url = await listen((_, response) => response.writeHead(307, { location: other }).end());
    expect((await runCommand(["jobs", "list", "--url", url], { env })).code).toBe(8);
    expect(seen).toEqual([]);
  });
});
