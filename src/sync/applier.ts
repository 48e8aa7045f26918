import { type Client, untyped } from "../client/client.ts";
import type { UntypedExchange } from "../client/untyped.ts";
import type { Operation } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { DispatchError, errorKind, type Violation } from "../errors/errors.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import { type KnownNumbers, resolvePlaceholders } from "./placeholders.ts";
import type { Calls, ExpectedState, Plan, PlannedCall, Refuse } from "./planner.ts";
import { type Json, toCanonical } from "./snapshot-record.ts";
import type { SyncTarget } from "./target.ts";

export interface Applier {
  /** Returns whether the target accepted all calls. Throws errors that the record did not cause. */
  apply(plan: Plan, refuse: Refuse): Promise<boolean>;
  finish(): Promise<void>;
}

export function createApplier(
  target: Pick<SyncTarget, "client">,
  { dryRun = false, known = null }: { dryRun?: boolean; known?: KnownNumbers | null } = {},
): Applier {
  const late: { call: PlannedCall; refuse: Refuse }[] = [];
  const sender = createCallSender(target.client, dryRun);
  return {
    async apply(plan, refuse) {
      if (plan.action !== "create" && plan.action !== "update") return true;
      let isTaken = true;
      sender.forget();
      const refuseAndNote: Refuse = (violations) => {
        isTaken = false;
        refuse(violations);
      };
      const calls = plan.calls(refuseAndNote);
      await telling(refuseAndNote, () =>
        makeCalls(calls, async (call) => {
          if (dryRun && call.needsRecord) return {};
          if (!call.late) return sender.send(call);
          late.push({ call, refuse });
          return {};
        }),
      );
      return isTaken;
    },
    async finish() {
      for (const { call, refuse } of late.splice(0)) {
        const { references = {} } = call.late ?? {};
        const body = call.body && known ? resolvePlaceholders(known, references, call.body) : call.body;
        sender.forget();
        await telling(refuse, () => sender.send({ ...call, body }));
      }
    },
  };
}

async function makeCalls(calls: Calls, send: (call: PlannedCall) => Promise<JsonObject>): Promise<void> {
  let step = calls.next();
  while (!step.done) {
    const call = step.value;
    const sent = await send(call).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ refusal: requireRefusal(error) }),
    );
    step = "answer" in sent ? calls.next(sent.answer) : calls.throw(sent.refusal);
  }
}

async function telling(refuse: Refuse, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refuse(requireRefusal(error).violations);
  }
}

function requireRefusal(error: unknown): DispatchError {
  if (error instanceof DispatchError && refusals.has(errorKind(error.code).status)) return error;
  throw error;
}

const refusals: ReadonlySet<number | null> = new Set([400, 404, 409, 412, 413]);

interface CallSender {
  /** Throws precondition_failed, and changes nothing, if the record is not in the expected state. */
  send(call: PlannedCall): Promise<JsonObject>;
  /** Forgets the entity tags of earlier calls. */
  forget(): void;
}

/** Sends If-Match. After an outdated tag, one read decides whether the expected state still holds. */
function createCallSender(client: Client, dryRun: boolean): CallSender {
  const tags = new Map<string, string>();
  const request = async (
    operation: Operation,
    { body, path, query }: PlannedCall,
    ifMatch: string | null,
  ) => {
    const params = Object.keys(operation.params).map((name) => [name, String(path[name])]);
    return untyped(client).exchange(operation.name, {
      body,
      dryRun: dryRun && operation.effect !== "read",
      ifMatch: ifMatch ?? undefined,
      params: Object.fromEntries(params),
      query,
    });
  };
  const readTag = async (record: Operation, call: PlannedCall, expected: ExpectedState) => {
    const { answer, etag } = await request(record, { ...call, body: undefined }, null);
    const now = answer as JsonObject;
    const differing = findDifferences(expected, now);
    if (differing.length > 0) throw new DispatchError([toChangedSince(expected, now, differing)]);
    return etag;
  };
  const sendExpecting = async (call: PlannedCall, record: Operation, expected: ExpectedState) => {
    const place = `${record.name} ${Object.keys(record.params).map((name) => call.path[name])}`;
    let etag = tags.get(place) ?? expected.etag;
    let answer: UntypedExchange | null = null;
    for (let tries = 1; answer === null; tries++) {
      etag ??= await readTag(record, call, expected);
      try {
        answer = await request(call.operation, call, etag);
      } catch (error) {
        const isStale = error instanceof DispatchError && error.code === "precondition_failed";
        if (!isStale || tries === triesMax) throw error;
        etag = null;
      }
    }
    if (answer.etag) tags.set(place, answer.etag);
    else tags.delete(place);
    return answer;
  };
  return {
    async send(call) {
      const { expected, operation } = call;
      const { record } = operation.changes;
      const isExpecting = expected && record && changesRecord(operation) && !dryRun;
      const { answer } = await (isExpecting
        ? sendExpecting(call, record, expected)
        : request(operation, call, null));
      return answer as JsonObject;
    },
    forget: () => tags.clear(),
  };
}

/** A repeatedly stale tag with the expected fields means that another client keeps changing the record. */
const triesMax = 3;

function findDifferences({ fields, record }: ExpectedState, now: JsonObject): string[] {
  // Responses of operations are JSON.
  const shown = (value: unknown) => toCanonical(value as Json | undefined);
  return fields.filter((name) => name in now && !isSame(shown(record[name]), shown(now[name])));
}

function toChangedSince(
  { record: before }: ExpectedState,
  now: JsonObject,
  differing: readonly string[],
): Violation {
  const show = (value: unknown) => JSON.stringify(value ?? null);
  const shown = differing
    .slice(0, shownMax)
    .map((name) => `${name} is ${show(now[name])} now, not ${show(before[name])}`);
  const others = differing.length > shownMax ? `, and ${differing.length - shownMax} more` : "";
  return {
    code: "precondition_failed",
    detail: `It was changed after the plan was made: ${shown.join(", ")}${others}. It was not changed.`,
    field: differing[0] ?? null,
  };
}

const shownMax = 5;
