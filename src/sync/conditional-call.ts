import { type Client, untyped } from "../client/client.ts";
import type { UntypedExchange } from "../client/untyped.ts";
import type { Operation } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { DispatchError } from "../errors/errors.ts";
import type { JsonObject } from "../models/json.ts";
import { type ExpectedState, findDifferences, toChangedSince } from "./expected-state.ts";
import type { PlannedCall } from "./plan.ts";

/** Makes planned calls at a target, and gives their answers. */
export interface CallSender {
  /** Throws precondition_failed when the record is not what the call expects; nothing is changed then. */
  send(call: PlannedCall): Promise<JsonObject>;
  /** Forgets the entity tags of the calls before. */
  forget(): void;
}

/**
 * Sends If-Match with a call that expects a state: the entity tag of the read, or of the call before. Other changes,
 * such as a change of an embedded record, also outdate a tag. Then, or without a tag, one read of the record decides,
 * and the call uses its tag. A dry run changes nothing, so it expects nothing.
 */
export function createCallSender(client: Client, dryRun: boolean): CallSender {
  const tags = new Map<string, string>();
  const request = async (operation: Operation, { body, path }: PlannedCall, ifMatch: string | null) => {
    const params = Object.keys(operation.params).map((name) => [name, String(path[name])]);
    return untyped(client).exchange(operation.name, {
      body,
      dryRun: dryRun && operation.effect !== "read",
      ifMatch: ifMatch ?? undefined,
      params: Object.fromEntries(params),
    });
  };
  const readTag = async (record: Operation, call: PlannedCall, expected: ExpectedState) => {
    const { answer, etag } = await request(record, { ...call, body: undefined }, null);
    const now = answer as JsonObject;
    const differing = findDifferences(expected, now);
    if (differing.length > 0) throw new DispatchError([toChangedSince(expected.record, now, differing)]);
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

/** A record whose tag is stale again and again, though its fields are as expected, is being worked on. */
const triesMax = 3;
