import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { identifyByToken } from "../../src/http/identify.ts";
import { type Readers, startReaders } from "../../src/http/readers/readers.ts";
import { type SlowRequest, toShownSql } from "../../src/http/request-log.ts";
import { buildServer } from "../../src/http/server.ts";
import { findNotes } from "../../src/runtime/noted-work.ts";
import { aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { createHttpClient, type WireRequest } from "../support/http-client.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

interface Line extends SlowRequest {
  level: string;
  msg: string;
}

const builtReader = join(import.meta.dirname, "../../dist/reader.cjs");

describeOverHttpOnEveryDatabase("the log line of a slow request", (harness: Harness) => {
  /** Starts a server that logs requests from `slowMs` on. `ask` returns the log lines of one request. */
  async function open(slowMs: number | undefined, { logLevel = "info", readers }: Opening = {}) {
    const lines: Line[] = [];
    const { service } = harness;
    const server = await buildServer(service, {
      answerBytesMax: 0,
      identify: identifyByToken(service),
      log: { write: (text) => void lines.push(JSON.parse(text) as Line) },
      logLevel,
      ...(readers && { readers }),
      ...(slowMs !== undefined && { slowMs }),
    });
    const client = createHttpClient(await server.listen({ host: "127.0.0.1", port: 0 }));
    let ended: Promise<unknown> | undefined;
    const end = () => {
      ended ??= client.close().then(() => server.close());
      return ended;
    };
    onTestFinished(async () => void (await end()));
    const send = ({ headers, ...request }: WireRequest) =>
      client.send({ ...request, headers: { ...harness.headersOf("Admin"), ...headers } });
    const told = async () => {
      await end();
      return lines.filter(({ msg }) => msg.endsWith("request"));
    };
    return { send, told };
  }

  const trucks = () => `/locations/${harness.acme.locationId}/trucks`;

  const post = (name: string): WireRequest => ({
    method: "POST",
    path: trucks(),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(aTruck({ name })),
  });

  it("has the facts of its request, and each statement without values, its count, its time, and its waits", async () => {
    const { send, told } = await open(0);
    expect((await send(post("Xy7 secret"))).status).toBe(200);
    const [request, slow] = await told();
    const { level, msg, statement_count, statement_ms, statements, waits_ms, ...facts } =
      slow ?? ({} as Line);
    expect([level, msg]).toEqual(["warn", "slow request"]);
    expect({ ...facts, time: "" }).toEqual({ ...request, level: undefined, msg: undefined, time: "" });
    expect(statements.map(({ sql }) => sql)).toContainEqual(expect.stringMatching(/^insert into "trucks"/));
    for (const { count, ms } of statements) expect(count >= 1 && ms >= 0).toBe(true);
    expect(statement_count).toBeGreaterThanOrEqual(statements.length);
    expect(statement_ms).toBeGreaterThan(0);
    expect(waits_ms).toEqual(
      Object.fromEntries(
        ["request", "body", "thread", "connection", "writer", "file_lock", "commit"].map((wait) => [
          wait,
          expect.any(Number),
        ]),
      ),
    );
    expect(JSON.stringify(slow)).not.toContain("secret");
  });

  it("lists for each of several simultaneous changes only its own statements", async () => {
    const { send, told } = await open(0, { logLevel: "warn" });
    await Promise.all(Array.from({ length: 8 }, (_, number) => send(post(`Beside ${number}`))));
    const lines = await told();
    expect(lines).toHaveLength(8);
    for (const { statements } of lines)
      expect(statements.find(({ sql }) => sql.startsWith('insert into "trucks"'))?.count).toBe(1);
  });

  it("appears only for slow requests; without the option nothing is recorded", async () => {
    const slow = await open(600_000);
    await slow.send({ path: trucks() });
    expect((await slow.told()).map(({ msg }) => msg)).toEqual(["request"]);
    const off = await open(undefined);
    await off.send({ path: trucks() });
    expect((await off.told()).map(({ msg }) => msg)).toEqual(["request"]);
    expect(findNotes()).toBeUndefined();
  });

  it("appears for every path with the limit 0, also without statements", async () => {
    const { send, told } = await open(0, { logLevel: "warn" });
    await send({ path: "/healthz" });
    await send({ path: "/nowhere" });
    expect(await told()).toMatchObject([
      { path: "/healthz", status: 200, statement_count: 0, statements: [] },
      { path: "/nowhere", status: 404, code: "operation_not_found", statement_count: 0 },
    ]);
  });

  it.runIf(harness.database.name === "SQLite" && existsSync(builtReader))(
    "includes the reads of a thread",
    async () => {
      const readers = startReaders(harness.service.store.database, { bytesMin: 0, program: builtReader });
      onTestFinished(() => readers.close());
      const { send, told } = await open(0, { logLevel: "warn", readers });
      expect((await send({ path: "/jobs?page_limit=1000" })).status).toBe(200);
      const [line] = await told();
      expect(line?.statements.map(({ sql }) => sql).join()).toContain('from "jobs"');
    },
  );
});

interface Opening {
  logLevel?: string;
  readers?: Readers;
}

describe("the text of a statement", () => {
  it("has no values, no long lists, and a maximum length", () => {
    expect(toShownSql("begin;\n  set local dispatch.tenant = '12';  select f(-8391166, $12)")).toBe(
      "begin; set local dispatch.tenant = ?; select f(?, $12)",
    );
    expect(toShownSql(`select "a1", 'it''s' from "t" where "id" in (?, ?, ?, ?, ?) and x = $1`)).toBe(
      `select "a1", ? from "t" where "id" in (?, …) and x = $1`,
    );
    expect(toShownSql("x".repeat(5000))).toHaveLength(400);
  });
});
