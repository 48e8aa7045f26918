import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStoreThere } from "../../../core/make-store.ts";
import { openService } from "../../../core/open-service.ts";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import type { CliContext } from "../../context.ts";
import type { RunWords, Side } from "./run-steps.ts";
import type { Outcome } from "./steps.ts";

export interface Sides {
  sides: Side[];
  remove(): Promise<void>;
}

/** The suite's own SQLite file and server, a new tenant in a PostgreSQL database, and a running server. */
export async function openSides(
  context: CliContext,
  runWords: RunWords,
  postgres: string | null,
  served: Side | null,
): Promise<Sides> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-conformance-"));
  const closers = [async () => rmSync(folder, { force: true, recursive: true })];
  const remove = async () => {
    for (const close of closers) await close();
  };
  // The user's profiles would choose other targets and formats.
  const env = { ...pickLibpq(context.env), DISPATCH_CONFIG: join(folder, "config") };
  try {
    const sides = [await makeStoreSide(runWords, "SQLite", join(folder, "store.db"), env)];
    if (postgres !== null) sides.push(await makeStoreSide(runWords, "PostgreSQL", postgres, env));
    const server = await startServer(context, runWords, join(folder, "served.db"), env);
    closers.unshift(server.close);
    sides.push(server.side);
    if (served) sides.push(await reach(runWords, { ...served, env: { ...env, ...served.env } }));
    return { remove, sides };
  } catch (error) {
    await remove();
    throw error;
  }
}

function pickLibpq(env: CliContext["env"]): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.filter(([name]) => name.startsWith("PG")));
}

async function makeStoreSide(
  runWords: RunWords,
  name: string,
  data: string,
  env: Side["env"],
): Promise<Side> {
  const side = { env, name, options: ["--data", data], target: toShownStore(data) };
  const words = (await isStoreThere(data, env))
    ? ["tenants", "create", "--name", "Conformance", "-o", "json"]
    : ["init", "--tenant", "Conformance", "--location", "First", "-o", "json"];
  const made = JSON.parse(toOutput(await runWords(side, words))) as {
    id?: number;
    tenant_id?: number;
  };
  return { ...side, options: [...side.options, "--tenant", String(made.tenant_id ?? made.id)] };
}

async function startServer(
  context: CliContext,
  runWords: RunWords,
  data: string,
  env: Side["env"],
): Promise<{ side: Side; close: () => Promise<void> }> {
  const store = await makeStoreSide(runWords, "the store of a server", data, env);
  const words = ["tokens", "create", "--username", "owner", "--roles", "Admin,Dispatcher", "-o", "json"];
  const { token } = JSON.parse(toOutput(await runWords(store, words))) as { token: string };
  const service = openService({ data, env });
  const log = { write: () => undefined };
  const options = { delivers: false, host: "127.0.0.1", log, logLevel: "silent", port: 0 };
  const server = await context.http.startServer(service, options);
  const close = async () => {
    await server.close();
    await service.store.close();
  };
  const side = {
    env: { ...env, DISPATCH_TOKEN: token },
    name: "server",
    options: ["--url", server.url],
    target: server.url,
  };
  return { close, side };
}

/** Reports an unusable server once, instead of with every command. */
async function reach(runWords: RunWords, side: Side): Promise<Side> {
  toOutput(await runWords(side, ["locations", "list"]));
  return side;
}

/** Throws if the command fails. */
function toOutput({ exitCode, stdout, stderr }: Outcome): string {
  if (exitCode === 0) return stdout;
  const [, why = stderr] = /why: (.*)/.exec(stderr) ?? [];
  throw failure(
    exitCode === exitCodes.unauthenticated ? "no_token" : "usage",
    `The suite cannot begin: ${why}`,
  );
}
