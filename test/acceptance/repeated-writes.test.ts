import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { type ServedStore, serveStore, toExit } from "../support/program.ts";
import { seedStore } from "../support/seed-store.ts";

const rounds = Number(process.env.DISPATCH_KEY_ROUNDS ?? 5);
const clients = 8;
/** The pause before a client retries a failed request or a refused connection. */
const pauseMs = 10;

describe.each([
  ["SQLite, each time with one server", () => sqlite.create(), 1, rounds],
  ["PostgreSQL, each time with one of two servers", createEmptyDatabase, 2, Math.ceil(rounds / 3)],
] as const)("on %s", (_what, createDatabase, serverCount, kills) => {
  it(`is killed at random, ${kills} times: a write that the client repeats with its key happens once`, async () => {
    const database = createDatabase();
    onTestFinished(() => database.remove());
    const env = { DISPATCH_DATA: database.data };
    const token = await seedStore((words, input = "") => runCommand(words, { env, input }));
    const headers = { authorization: `Bearer ${token}`, "x-tenant-id": "1" };
    const start = () => serveStore(database.data, ["--no-deliver"]);
    const servers: ServedStore[] = await Promise.all(Array.from({ length: serverCount }, start));

    /** Sends a request to any running server until it gets an answer; returns the bytes of the answer. */
    const send = async (key: string): Promise<string> => {
      for (;;) {
        const { url } = servers[Math.floor(Math.random() * servers.length)] ?? { url: "" };
        const answer = await post(url, headers, key).catch(() => null);
        if (answer?.status === 200) return answer.text;
        // Before the final answer, a server may only report that the request still runs.
        if (answer) expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("_in_use")]);
        await sleep(pauseMs);
      }
    };
    const answers = new Map<string, string>();
    let isOver = false;
    const working = Array.from({ length: clients }, async (_, client) => {
      for (let turn = 0; !isOver; turn++) {
        const key = `${client}-${turn}`;
        answers.set(key, await send(key));
      }
    });
    for (let round = 0; round < kills; round++) {
      // Wait for an answer first, because the server may start slowly on this machine.
      for (const known = answers.size; answers.size === known; ) await sleep(pauseMs);
      await sleep(Math.random() * 150);
      const at = round % serverCount;
      const { child } = servers[at] as ServedStore;
      const exited = toExit(child);
      child.kill("SIGKILL");
      expect(await exited).toBe(-1);
      servers[at] = await start();
    }
    isOver = true;
    await Promise.all(working);

    expect(answers.size).toBeGreaterThanOrEqual(kills);
    const listing = ["jobs", "list", "--location", "1", "--all", "-o", "ndjson"];
    const { stdout } = await runCommand([...listing, "--fields", "id,reference_number"], { env });
    const jobs = stdout.trimEnd().split("\n").map(toJob);
    const told = [...answers.values()].map(toJob);
    expect(jobs.filter(({ key }) => key !== null).sort(byId)).toEqual(told.sort(byId));
    expect(told.map(({ key }) => key).sort()).toEqual([...answers.keys()].sort());
    for (const [key, text] of [...answers].slice(0, 20)) expect(await send(key)).toBe(text);
    for (const server of servers) await server.end();
  }, 180_000);
});

/** Returns the id and key of the job in an event, or null for a job of the demo. */
function toJob(text: string): { id: number; key: string | null } {
  const { id, reference_number: key } = JSON.parse(text) as { id: number; reference_number: string | null };
  return { id, key };
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;

/** Creates a job with the key. Rejects without a complete answer. */
async function post(
  url: string,
  headers: Record<string, string>,
  key: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/locations/1/jobs`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ type: "D", requested_by: 1, address_id: 1, reference_number: key }),
  });
  return { status: answer.status, text: await answer.text() };
}
