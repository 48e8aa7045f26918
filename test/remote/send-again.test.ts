import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { request } from "undici";
import { expect, it } from "vitest";
import { createRateLimits } from "../../src/http/rate-limits.ts";
import { runCommand } from "../support/command-line.ts";
import type { Harness } from "../support/harness.ts";
import { listen } from "../support/listen.ts";
import { startProgram } from "../support/program.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";

/**
 * What happens to a request: it is lost before the server, its answer is lost or cut, a proxy answers it, or it gets
 * through.
 */
type Fate = "lost" | "answer lost" | "answer cut" | "through" | 502 | 503;

interface Way {
  url: string;
  /** The requests that reached the server. */
  arrived: { method: string; key: string | undefined }[];
}

/** Starts a server behind a proxy, where the requests for trucks meet these fates in turn. */
async function serveBehind(harness: Harness, fates: Fate[], hidesKeys = false): Promise<Way> {
  const { origin } = await openQuietServer(harness.service);
  const arrived: Way["arrived"] = [];
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { headers, method = "GET", url = "/" } = incoming;
    const body = await buffer(incoming);
    const fate = url.includes("/trucks") ? (fates.shift() ?? "through") : "through";
    if (fate === "lost") return void incoming.socket.destroy();
    if (typeof fate === "number") return void response.writeHead(fate).end("<h1>busy</h1>");
    arrived.push({ method, key: headers["idempotency-key"] as string | undefined });
    const { "content-length": _, connection: __, host: ___, ...sent } = headers;
    const answer = await request(origin + url, {
      method: method as "GET",
      headers: sent as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    if (fate === "answer lost") return void incoming.socket.destroy();
    const own = { ...answer.headers };
    if (hidesKeys) own["access-control-allow-headers"] = "Authorization";
    response.writeHead(answer.statusCode, own as Record<string, string>);
    if (fate === "through") return void response.end(bytes);
    response.write(bytes.subarray(0, 10), () => incoming.socket.destroy());
  };
  return { url: await listen((incoming, response) => void pass(incoming, response)), arrived };
}

describeOverHttp("a command whose request or answer is lost", (shared) => {
  async function run(fates: Fate[], words: string[], hidesKeys = false) {
    const harness = await freshHarness(shared);
    const { arrived, url } = await serveBehind(harness, fates, hidesKeys);
    const { token } = harness.callerOf("Dispatcher");
    const before = Number(harness.store.rowCounts().trucks);
    const outcome = await runCommand([...words, "--url", url], { env: { DISPATCH_TOKEN: token } });
    const made = Number(harness.store.rowCounts().trucks) - before;
    return { ...outcome, made, arrived: arrived.filter(({ method }) => method === "POST") };
  }
  const create = ["trucks", "create", "--location", "1", "--name", "Once", "-o", "json"];

  it.each<[Fate[], number]>([
    [["lost"], 1],
    [["answer lost"], 2],
    [["answer cut"], 2],
    [[502, 503, "answer lost"], 2],
  ])("creates a truck once, reports the retry, and shows the truck: %j", async (fates, arrivals) => {
    const { arrived, code, made, stderr, stdout } = await run([...fates], create);
    expect([code, JSON.parse(stdout).name, made]).toEqual([0, "Once", 1]);
    expect(arrived).toHaveLength(arrivals);
    expect(new Set(arrived.map(({ key }) => key)).size).toBe(1);
    expect(arrived[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(stderr.match(/; trying again in \d\.\d s \(\d of 5\)/g)).toHaveLength(fates.length);
  });

  it("retries a read", async () => {
    const words = ["trucks", "list", "--location", "1", "-o", "json"];
    const { code, stderr } = await run(["lost", 504 as 502], words);
    expect([code, stderr.match(/trying again/g)?.length]).toEqual([0, 2]);
  });

  it("never retries a write on a server without idempotency keys, because the write may have run", async () => {
    const { arrived, code, made, stderr } = await run(["answer lost"], create, true);
    expect([code, made, arrived]).toEqual([8, 1, [{ method: "POST", key: undefined }]]);
    expect(stderr).not.toContain("trying again");
    expect(stderr).toContain("cannot be reached");
  });

  it("gives up after five attempts and reports why", async () => {
    const { code, made, stderr } = await run(Array<Fate>(9).fill("lost"), create);
    expect([code, made, stderr.match(/trying again/g)?.length]).toEqual([8, 0, 4]);
  });

  it("ends at once when it is interrupted during a wait, and sends nothing more", async () => {
    const harness = await freshHarness(shared);
    const { arrived, url } = await serveBehind(harness, Array<Fate>(9).fill(503));
    const { token } = harness.callerOf("Dispatcher");
    const child = startProgram([...create, "--url", url], { env: { DISPATCH_TOKEN: token } });
    const ended = new Promise((resolve) => child.once("close", (...how) => resolve(how)));
    let told = "";
    for await (const chunk of child.stderr ?? []) {
      told += String(chunk);
      if (told.includes("trying again")) child.kill("SIGINT");
    }
    // A shell turns this signal into exit code 130.
    expect(await ended).toEqual([null, "SIGINT"]);
    expect(told.match(/trying again/g)).toHaveLength(1);
    expect(arrived.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("gives up at once if no server has ever answered", async () => {
    const env = { DISPATCH_TOKEN: "1.secret" };
    const { code, stderr } = await runCommand([...create, "--url", "http://127.0.0.1:1"], { env });
    expect([code, stderr]).toEqual([8, expect.not.stringContaining("trying again")]);
  });
});

/** Starts a server that refuses every request with a status, a code, and Retry-After. `asked` counts requests. */
async function serveRefusals(status: number, code: string) {
  const asked = { times: 0 };
  const url = await listen((_, response) => {
    asked.times += 1;
    const violation = { code, detail: "No.", field: null, see: null };
    const body = {
      ...violation,
      errors: [violation],
      explanation: "No.",
      request_id: "1",
      status,
      title: "No",
    };
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify(body));
  });
  return { asked, url };
}

describeOverHttp("a command that a server refuses for a limited time", (harness) => {
  it("waits as long as the server says, reports that, and completes", async () => {
    const rateLimits = createRateLimits({ perSecond: 1, burst: 1 });
    const { origin: url } = await openQuietServer(harness.service, { rateLimits });
    const { token } = harness.callerOf("Dispatcher");
    const env = { DISPATCH_TOKEN: token };
    const words = ["trucks", "list", "--location", "1", "-o", "json", "--url", url];
    const first = await runCommand(words, { env });
    const outcome = await runCommand(words, { env });
    expect([first.code, outcome.code, outcome.stdout]).toEqual([0, 0, first.stdout]);
    expect(outcome.stderr).toContain("the server limits requests; trying again in 1.0 s (2 of 5)");
  });

  it.each([
    [429, "rate_limited", 5],
    [503, "overloaded", 5],
    [503, "store_unavailable", 5],
    [503, "shutting_down", 5],
    [429, "too_many_failed_logins", 1],
    [503, "secret_key_missing", 1],
    [409, "state_conflict", 1],
  ])("retries only if that helps: after %i %s it has sent %i requests", async (status, code, times) => {
    const { asked, url } = await serveRefusals(status, code);
    const words = ["api", "GET", "/jobs", "--tenant", "1", "--url", url];
    const outcome = await runCommand(words, { env: { DISPATCH_TOKEN: "a.b" } });
    expect([asked.times, outcome.code]).toEqual([times, { 409: 6, 429: 7, 503: 8 }[status]]);
    expect(outcome.stderr.match(/trying again/g)?.length ?? 0).toBe(times - 1);
  });
});
