import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { CliContext } from "../../src/cli/context.ts";
import { toCommandFlags } from "../../src/cli/operation-command/command-operations.ts";
import { toCommand } from "../../src/cli/operation-command/operation-command.ts";
import { runOperation } from "../../src/cli/operation-command/run-operation.ts";
import { toExample } from "../../src/cli/operation-command/to-example.ts";
import { loadPresentation } from "../../src/cli/presentation/index.ts";
import type { Target } from "../../src/cli/target/target.ts";
import { type Client, untyped } from "../../src/client/client.ts";
import type { UntypedExchange, UntypedRequest } from "../../src/client/untyped.ts";
import { nobody, toActor } from "../../src/core/actor.ts";
import { isDocument, type Operation } from "../../src/core/operation.ts";
import type { Service } from "../../src/core/service.ts";
import type { Serving } from "../../src/core/serving.ts";
import { ownerUsername } from "../../src/demo/data.ts";
import { toUuid } from "../../src/demo/random.ts";
import { type ApiVersion, apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import type { RecordedExample } from "../../src/openapi/operation-entry.ts";
import { loadOperation, type OperationName, operationNames } from "../../src/operations/index.ts";
import { ownIdOf } from "../../src/records/command-options.ts";
import { readClock } from "../../src/store/store-clock.ts";
import type { Sender } from "../../src/webhooks/send.ts";
import { makeDemoStore } from "../demo/demo-store.ts";
import { noConfig } from "../support/command-line.ts";
import { databases } from "../support/databases.ts";
import { createLocalClient } from "../support/local-client.ts";
import { toWords } from "../support/shell-words.ts";
import { testStart } from "../support/test-clock.ts";

/**
 * Runs the example of each operation's command on a store of `demo`. Returns the request and the answer at every
 * version of the operation. Writes are dry runs. Calls to webhooks are real; their receiver returns 200. The result
 * depends only on the declarations.
 */
export async function recordExamples(): Promise<Map<OperationName, RecordedExample>> {
  const [database] = databases;
  if (!database) throw new Error("There is no database to try on.");
  const demo = await makeDemoStore(database, { jobs: 200 });
  const folder = mkdtempSync(join(tmpdir(), "examples-"));
  const home = process.cwd();
  process.chdir(folder);
  try {
    writeFileSync("password.txt", "Long-enough1\n");
    return await recordAll(toRepeating(demo.service), demo.facts.tenantId);
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true });
    await demo.close();
  }
}

async function recordAll(
  { restart, service }: Repetition,
  tenantId: number,
): Promise<Map<OperationName, RecordedExample>> {
  const { accounts } = service.store;
  const tenant = (await accounts.tenants()).find(({ id }) => id === tenantId);
  const targetOf = async (username: string): Promise<Target> => {
    const user = await accounts.findUser(tenantId, username);
    if (!user || !tenant) throw new Error(`The demo has no ${username}.`);
    const actor = toActor(tenantId, user, null, null);
    const client = createLocalClient(service, actor);
    const target = { client, close: async () => undefined, send: refuse };
    return { ...target, clock: service.clock, name: "demo", store: { actor, service }, tenant };
  };
  const { client } = await targetOf(ownerUsername);
  // Create a token to list, rotate, and revoke, and a delivery to show.
  await client.tokens.create({ body: { username: ownerUsername } });
  const { delivery_id } = await client.hooks.ping({ params: { hook_id: 1 } });
  const examples = new Map<OperationName, RecordedExample>();
  for (const [index, name] of operationNames.entries()) {
    const operation = await loadOperation(name);
    const line = toExample({ atLocation: null, operation, presentation: await loadPresentation(name) }) ?? "";
    const target = await targetOf(/--as (\S+)/.exec(line)?.[1] ?? ownerUsername);
    const called = operation.allow === "anyone" ? createLocalClient(service, nobody) : target.client;
    const repeating = withExchange(called, (...asked) => {
      restart((index + 1) * 100);
      return untyped(called).exchange(...asked);
    });
    const words = toWords(line.replace(uuid, delivery_id)).slice(2);
    examples.set(name, await record(operation, { ...target, client: repeating }, words));
  }
  return examples;
}

type Send = ReturnType<typeof untyped>["exchange"];

const withExchange = (client: Client, exchange: Send): Client => ({ ...client, exchange }) as Client;

async function refuse(): Promise<never> {
  throw new Error("The examples are calls of operations.");
}

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b(?= --hook)/;

/** Runs an operation's command with the words of its example, and records its request and answer. */
async function record(
  operation: Operation,
  { client, ...target }: Target,
  words: string[],
): Promise<RecordedExample> {
  const request = withoutCommand[operation.name];
  if (request) return (await callAtEveryVersion(operation, client, request)).example;
  let recorded: RecordedExample | null = null;
  const recording = withExchange(client, async (name, request = {}) => {
    if (name !== operation.name || recorded) return untyped(client).exchange(name, request);
    const { example, last } = await callAtEveryVersion(operation, client, toOnePage(operation, request));
    recorded = example;
    return last;
  });
  await runWords(operation, { ...target, client: recording }, words);
  return recorded ?? expect.fail(`The example of ${operation.name} did not call it.`);
}

async function runWords(operation: Operation, target: Target, words: string[]): Promise<void> {
  const presentation = await loadPresentation(operation.name as OperationName);
  const operations = { atLocation: null, operation, presentation };
  const flags = toCommandFlags(operations);
  const param = ownIdOf(operation);
  const env = { DISPATCH_CONFIG: noConfig, DISPATCH_TENANT: "1" };
  // The parts of the context that a command without prompts and processes uses.
  const context = { env, stderr: nowhere, stdin: process.stdin, stdout: nowhere } as unknown as CliContext;
  const command = toCommand(context, "verb", operations).exitOverride();
  command.configureOutput({
    writeErr: (text) => expect.fail(`${operation.name} ${words.join(" ")}: ${text}`),
  });
  command.action(async (...values: unknown[]) => {
    const own = param ? { param, words: [values[0]].flat().map(String) } : null;
    await runOperation(context, { flags, operations, options: command.opts(), own }, target);
  });
  await command.parseAsync(words, { from: "user" });
}

/** An answered request, as a server reports it. */
const answered = {
  answered_on: testStart,
  code: null,
  duration_ms: 4.2,
  is_recorded: true,
  method: "GET",
  operation: "trucks.list",
  path: "/locations/1/trucks",
  request_id: "7a1c0000-6c3b-4c55-9d3e-0a8f6d1c2b3a",
  status: 200,
  tenant_id: 1,
  token_id: 1,
  token_name: "board",
  user_id: 1,
  version: newestVersion,
};

const message = (body: string | null, headers: Record<string, string>) => ({
  body,
  body_bytes: body?.length ?? 0,
  body_omitted: null,
  headers,
});

const contents = {
  answer: message('{"current_limit":100,"current_page":1,"results":[],"total_count":0,"total_pages":0}', {
    "content-type": "application/json",
  }),
  query: "",
  request: message(null, { authorization: "***", "x-tenant-id": "1" }),
  started_on: testStart,
};

const archive = { log: { version: "1.2", creator: { name: "dispatch-cli", version: "0.1.0" }, entries: [] } };

/** The parts of a server that operations need. */
const toServing = (service: Service): Serving => ({
  requests: {
    find: async () => ({ answered, contents }),
    read: async () => ({ cursor: "0a1b2c3d.1", missed: 0, requests: [{ ...answered, query: "" }] }),
  },
  sandbox: { reset: () => readClock(service), toArchive: async () => Buffer.from(JSON.stringify(archive)) },
});

/** The requests of operations without their own command. */
const withoutCommand: Readonly<Record<string, UntypedRequest>> = {
  "hooks.trigger": {
    body: { action: "updated", record_id: 1, type: "Truck" },
    params: { hook_id: "1" },
  },
  "requests.get": { params: { request_id: answered.request_id } },
  "requests.tail": {},
  "sandbox.clock": {},
  "sandbox.requests": {},
  "sandbox.reset": {},
  "sandbox.set-clock": { body: { advance: "3d" } },
  "search.find": { query: { limit: "2", q: "harbor" } },
};

const nowhere = { write: () => true };

/** Limits a list to one record, which is enough to show its form. */
function toOnePage({ query }: Operation, request: UntypedRequest): UntypedRequest {
  const body = request.body === undefined ? undefined : JSON.parse(JSON.stringify(request.body), toBoolean);
  if (!("page_limit" in query)) return { ...request, body };
  return { ...request, query: { ...request.query, page_limit: "1" } };
}

/** Converts the texts of a command line to Booleans, as programs send them. */
const toBoolean = (_field: string, value: unknown) =>
  value === "true" || value === "false" ? value === "true" : value;

async function callAtEveryVersion(operation: Operation, client: Client, request: UntypedRequest) {
  const { effect, lifetime } = operation;
  const dryRun = effect === "write" || effect === "delete";
  // A call to a webhook runs once: it returns no record whose form depends on the version.
  const versions =
    effect === "call"
      ? [newestVersion]
      : apiVersions.filter((version) => !lifetime || version <= lifetime.until).reverse();
  const answers: RecordedExample["answers"] = {};
  let last: UntypedExchange | null = null;
  let former = "";
  for (const version of versions) {
    const call = () => untyped(client).exchange(operation.name, { ...request, dryRun, version });
    last ??= await call();
    const answer = version === versions[0] ? last : await call();
    const text = textOf(operation, answer);
    if (text === null || text === former) continue;
    former = text;
    answers[version as ApiVersion] = JSON.parse(text);
  }
  if (!last) throw new Error(`${operation.name} is of no version.`);
  const { body, params = {}, query = {} } = request;
  return {
    example: { answers, request: { ...(body !== undefined && { body }), params, query } } as RecordedExample,
    last,
  };
}

/** Returns an answer as JSON text, or null for any other file. */
function textOf({ output }: Operation, { bytes }: UntypedExchange): string | null {
  const isJson = !isDocument(output) || output.mediaType === "application/json";
  return isJson ? Buffer.from(bytes).toString() : null;
}

/** A service whose ids and secrets repeat after `restart`. */
interface Repetition {
  service: Service;
  restart(seed: number): void;
}

/** Makes the service's ids and secrets repeatable. Receivers answer in 12 ms: the first with 503, then with 200. */
function toRepeating(service: Service): Repetition {
  let made = 0;
  let sent = 0;
  const bytes = (count: number) => {
    made += 1;
    return Uint8Array.from({ length: count }, (_, at) => (made * 31 + at * 17 + (made >> 8)) % 256);
  };
  const sender: Sender = {
    async send({ headers }) {
      sent += 1;
      // The ids of spans are random.
      headers.traceparent = String(headers.traceparent).replace(/-\w{16}-/, "-00f067aa0ba902b7-");
      return { body: "", durationMs: 12, headers: {}, kind: "answered", status: sent === 1 ? 503 : 200 };
    },
    close: async () => undefined,
  };
  return {
    service: {
      ...service,
      serving: toServing(service),
      makeUuid: () => toUuid(bytes(16)),
      randomBytes: bytes,
      sender: async () => sender,
    },
    restart: (seed) => {
      made = seed;
    },
  };
}
