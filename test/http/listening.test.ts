import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { Agent as HttpAgent, request as sendHttp } from "node:http";
import { request as sendHttps } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ListenOptions, RunningServer } from "../../src/core/server-factory.ts";
import { parseTrustedProxies } from "../../src/core/trusted-proxies.ts";
import { startServer } from "../../src/http/serve.ts";
import type { Harness } from "../support/harness.ts";
import { describeOverHttp } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

const folder = useTempFolder();

interface Asked {
  path: string;
  headers?: Record<string, string>;
  method?: string;
  socketPath?: string;
  agent?: HttpAgent;
}

interface Answered {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request without checking the server's certificate. */
async function ask(url: string, { path, ...asked }: Asked): Promise<Answered> {
  const isSecure = url.startsWith("https:");
  const { hostname, port } = new URL(url.startsWith("unix:") ? "http://localhost" : url);
  const options = { ...asked, hostname, path, port };
  const request = isSecure ? sendHttps({ ...options, rejectUnauthorized: false }) : sendHttp(options);
  request.end();
  const [answer] = await once(request, "response");
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

describeOverHttp("a server that", (harness: Harness) => {
  const lines: string[] = [];
  const start = async (options: Partial<ListenOptions>): Promise<RunningServer> => {
    lines.length = 0;
    const server = await startServer(harness.service, {
      host: "127.0.0.1",
      port: 0,
      delivers: false,
      log: { write: (line) => void lines.push(line) },
      logLevel: "info",
      ...options,
    });
    onTestFinished(() => server.close(0));
    return server;
  };

  describe("cannot listen", () => {
    const long = join(folder, "s".repeat(120));

    it.each([
      [
        { host: "no.such.invalid" },
        /^Cannot listen on no\.such\.invalid, port 0: the name .+ Name an address/,
      ],
      [{ host: "192.0.2.1" }, /this machine has no such address\. Name an address of this machine/],
      [
        { socket: { path: join(folder, "none/a.sock"), mode: 0o660 } },
        /its folder is missing, or this user cannot write to it\. Create a folder/,
      ],
      [{ socket: { path: long, mode: 0o660 } }, /is too long: 103 bytes are allowed\. Choose a shorter one/],
    ])("because of %j, and reports the reason and a fix", async (options, sentence) => {
      await expect(start(options)).rejects.toThrow(sentence);
    });

    it("because another process uses the address, and reports that", async () => {
      const { port } = new URL((await start({})).url);
      await expect(start({ port: Number(port) })).rejects.toThrow(
        /^Port \d+ is in use: choose another one with --port/,
      );
    });
  });

  describe("listens at a unix socket", () => {
    const make = (name: string, mode = 0o660) => ({ path: join(folder, name), mode });

    it("answers the users that its mode allows, and removes the socket at the end", async () => {
      const socket = make("a.sock", 0o620);
      const server = await start({ socket });
      expect(server.url).toBe(`unix:${socket.path}`);
      expect(statSync(socket.path).mode & 0o777).toBe(0o620);
      expect((await ask(server.url, { path: "/healthz", socketPath: socket.path })).status).toBe(200);
      await server.close();
      expect(existsSync(socket.path)).toBe(false);
    });

    it("replaces the socket of a dead process, and no other file", async () => {
      const live = createServer().listen(make("live.sock").path);
      await once(live, "listening");
      onTestFinished(() => void live.close());
      await expect(start({ socket: make("live.sock") })).rejects.toThrow("another process listens there");

      const stale = make("stale.sock");
      const { execFileSync } = await import("node:child_process");
      const dying = `require("node:net").createServer().listen(${JSON.stringify(stale.path)}, () => process.kill(process.pid, "SIGKILL"))`;
      expect(() => execFileSync(process.execPath, ["-e", dying])).toThrow();
      expect(existsSync(stale.path)).toBe(true);
      const server = await start({ socket: stale });
      expect((await ask(server.url, { path: "/healthz", socketPath: stale.path })).status).toBe(200);

      writeFileSync(join(folder, "file.sock"), "kept");
      await expect(start({ socket: make("file.sock") })).rejects.toThrow("it is not a socket");
      await expect(start({ socket: make(`${"x".repeat(200)}.sock`) })).rejects.toThrow("too long");
    });
  });

  describe("speaks TLS", () => {
    it("accepts only TLS 1.2 and later, and logs as usual", async () => {
      const server = await start({ tls: tlsFixture });
      expect(server.url).toMatch(/^https:/);
      const { port } = new URL(server.url);
      expect((await ask(server.url, { path: "/healthz" })).status).toBe(200);
      const { text: document } = await ask(server.url, { path: "/openapi.json" });
      expect(JSON.parse(document).servers[0].url).toBe(server.url);
      const old = connectTls({ port: Number(port), rejectUnauthorized: false, maxVersion: "TLSv1.1" });
      const [error] = await once(old, "error");
      expect(String(error)).toMatch(/alert|version|protocol/i);
      await expect(ask(`http://127.0.0.1:${port}`, { path: "/healthz" })).rejects.toThrow(
        /hang up|ECONNRESET/,
      );
      expect((await ask(server.url, { path: "/healthz" })).status).toBe(200);
    });
  });

  describe("has a base path", () => {
    it("answers only below it, and links nowhere else; health pages are also at the root", async () => {
      const server = await start({ basePath: "/dispatch" });
      const authorized = { ...harness.headersOf("Dispatcher"), "x-api-version": "2023/04/19" };
      const get = (path: string, headers: Record<string, string> = {}) =>
        ask(new URL(server.url).origin, { path, headers });
      expect(server.url).toMatch(/\/dispatch$/);
      const list = await get("/dispatch/jobs?page_limit=1", authorized);
      expect([list.status, list.headers.link]).toEqual([200, expect.stringMatching(/^<\/dispatch\/jobs\?/)]);
      const inside = ["/dispatch/healthz", "/dispatch/readyz", "/healthz", "/readyz?x=1", "/dispatch/docs"];
      const outside = [
        "/jobs",
        "/docs",
        "/dispatchjobs",
        "/dispatcher/jobs",
        "/openapi.json",
        "//dispatch/jobs",
      ];
      const statuses = async (paths: readonly string[]) =>
        Promise.all(paths.map(async (path) => [path, (await get(path, authorized)).status]));
      expect(await statuses(inside)).toEqual(inside.map((path) => [path, 200]));
      expect(await statuses(outside)).toEqual(outside.map((path) => [path, 404]));
      for (const path of ["/", "/dispatch", "/dispatch/"]) {
        const { headers, status } = await get(path, { accept: "text/html" });
        expect([path, status, headers.location]).toEqual([path, 302, "/dispatch/start"]);
      }
      const { text: document } = await get("/dispatch/openapi.json");
      expect(JSON.parse(document).servers[0].url).toBe(server.url);
      const problem = await get("/dispatch/jobs/none", { ...authorized, accept: "application/problem+json" });
      expect(JSON.parse(problem.text)).toMatchObject({
        type: expect.stringMatching(/^\/dispatch\/docs\/errors\//),
        instance: "/dispatch/jobs/none",
      });
      const { text: page } = await get("/dispatch/docs");
      const links = [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link = ""]) => link);
      expect(links.length).toBeGreaterThan(5);
      expect(links.filter((link) => !link.startsWith("/dispatch/"))).toEqual([]);
    });
  });

  describe("trusts a proxy", () => {
    it("counts failed logins by the clients in its headers, and uses them in the log and the document", async () => {
      const server = await start({ trustedProxies: parseTrustedProxies("127.0.0.1") });
      const from = (client: string) => ({ "x-forwarded-for": client, "x-forwarded-proto": "https" });
      const guess = (client: string) =>
        ask(server.url, {
          path: "/whoami",
          headers: { ...from(client), authorization: `Bearer dispatch.1.${"a".repeat(43)}` },
        });
      for (let made = 0; made < 10; made++) expect((await guess("203.0.113.9")).status).toBe(401);
      expect((await guess("203.0.113.9")).status).toBe(429);
      expect((await guess("203.0.113.10")).status).toBe(401);
      expect(lines.filter((line) => line.includes('"203.0.113.9"'))).toHaveLength(11);
      const { text: document } = await ask(server.url, {
        path: "/openapi.json",
        headers: { ...from("203.0.113.9"), "x-forwarded-host": "dispatch.example" },
      });
      expect(JSON.parse(document).servers[0].url).toBe("https://dispatch.example");
    });
  });

  describe("drains", () => {
    it("is not ready, logs that, still answers old and new connections, and closes each after its answer", async () => {
      const server = await start({});
      const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const headers = harness.headersOf("Dispatcher");
      expect((await ask(server.url, { path: "/readyz", agent })).status).toBe(200);
      server.drain();
      expect(lines.at(-1)).toContain("Server is ending");
      const kept = await ask(server.url, { path: "/readyz", agent });
      expect([kept.status, kept.headers.connection]).toEqual([503, "close"]);
      expect(JSON.parse(kept.text)).toMatchObject({ check: "draining", status: "not ready" });
      for (const path of ["/jobs", "/healthz"]) {
        const answer = await ask(server.url, { path, headers, agent });
        expect([answer.status, answer.headers.connection]).toEqual([200, "close"]);
      }
    });

    it("keeps idle connections for the given time, and for less after a second call", async () => {
      const server = await start({});
      const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const keep = new HttpAgent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => keep.destroy());
      await ask(server.url, { path: "/healthz", agent });
      await ask(server.url, { path: "/healthz", agent: keep });
      let isClosed = false;
      const closed = server.close(60_000, 50_000).then(() => {
        isClosed = true;
      });
      const used = await ask(server.url, { path: "/readyz", agent });
      // A replacement already serves, so the service is ready.
      expect([used.status, used.headers.connection]).toEqual([200, "close"]);
      await expect(ask(server.url, { path: "/healthz" })).rejects.toThrow("ECONNREFUSED");
      expect(isClosed).toBe(false);
      await server.close(60_000, 0);
      await closed;
    });
  });
});
