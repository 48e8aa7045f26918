import { toActor } from "../../src/core/actor.ts";
import { callOperation } from "../../src/core/call-operation.ts";
import { openService } from "../../src/core/open-service.ts";
import { isDocument } from "../../src/core/operation.ts";
import type { Service } from "../../src/core/service.ts";
import { type DemoFacts, type DemoOptions, fillDemoStore } from "../../src/demo/fill-demo-store.ts";
import { clientOf } from "../../src/http/local-client.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { parseStoredText } from "../../src/models/stored-record.ts";
import { toJson } from "../../src/models/versions/serializer.ts";
import { loadOperation, type OperationName } from "../../src/operations/index.ts";
import type { Timestamp } from "../../src/runtime/clock.ts";
import { type JobFields, jobLayout } from "../../src/store/queries/job-record.ts";
import { validateAnswer } from "../support/answer-validator.ts";
import type { DatabaseKind, TestDatabase } from "../support/databases.ts";
import { createTestClock, type TestClock, testStart } from "../support/test-clock.ts";

/** A filled store, and ways to read it. */
export interface DemoStore {
  clock: TestClock;
  database: TestDatabase;
  facts: DemoFacts;
  service: Service;
  close(): Promise<void>;
}

/** Fills a new store at a fixed time. */
export async function makeDemoStore(
  kind: DatabaseKind,
  options: Partial<DemoOptions> & { now?: Timestamp } = {},
): Promise<DemoStore> {
  const { now = testStart, seed = 1, jobs = 2000, ...others } = options;
  const clock = createTestClock();
  clock.set(now);
  const database = kind.create();
  const service = openService({ data: database.data, create: true, clock });
  const close = async () => {
    await service.store.close();
    database.remove();
  };
  return {
    clock,
    database,
    facts: await fillDemoStore(service, clientOf, { seed, jobs, ...others }),
    service,
    close,
  };
}

/** A job with the columns that the store adds to its fields. */
export interface DemoJob extends JobFields, Record<string, unknown> {
  created_on: Timestamp;
  id: number;
  returned_by: number | null;
  tenant_id: number;
}

/** Returns all jobs by id, with every field. */
export function jobsOf({ database }: DemoStore): DemoJob[] {
  return database.rows("jobs").map((row) => {
    const fields = parseStoredText(jobLayout, String(row.record));
    return { ...row, ...fields, record: null } as unknown as DemoJob;
  });
}

/** Calls a read operation as a user of the first tenant. Returns the answer and the errors in its shape. */
export async function readAs(
  { facts, service }: DemoStore,
  username: string,
  name: OperationName,
  input: { params?: Record<string, string>; query?: Record<string, string> } = {},
) {
  const user = await service.store.accounts.findUser(facts.tenantId, username);
  if (!user) throw new Error(`The demo has no user ${username}.`);
  const operation = await loadOperation(name);
  const { value } = await callOperation(service, operation, {
    actor: toActor(facts.tenantId, user, null, null),
    body: async () => undefined,
    params: input.params ?? {},
    query: input.query ?? {},
    requestId: service.makeUuid(),
    version: newestVersion,
  });
  if (isDocument(operation.output)) throw new Error(`${name} answers with a file.`);
  const answer = JSON.parse(toJson(operation.output, value, newestVersion));
  return { answer, problems: validateAnswer(operation, newestVersion, answer) };
}
