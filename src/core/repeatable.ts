import { DispatchError, errorKind, failure } from "../errors/errors.ts";
import type { JsonObject } from "../models/json.ts";
import { fromText } from "../models/parse.ts";
import { holdsSecretValue } from "../models/shows-secret.ts";
import { toEpochMs } from "../runtime/clock.ts";
import type { KeptRequest } from "../store/queries/idempotency-keys.ts";
import type { CallTexts, Context } from "./context.ts";
import { accessOf, isDocument, type KeptAnswer, type Operation, type OperationResult } from "./operation.ts";
import { showRecord } from "./precondition.ts";
import type { Service } from "./service.ts";

/** A call that runs once for a key while the key is valid. */
export interface Repeatable {
  key: string;
  /** At most 24 h. */
  validMs: number;
  /** A hash of the request and of the caller's rights. Rejects for an unreadable request. */
  fingerprint(): Promise<string>;
  /** Converts the result to the response that is stored with the change. */
  toAnswer(result: OperationResult): KeptAnswer;
}

type RepeatableCall = Pick<CallTexts, "body" | "params" | "version"> & { repeatable: Repeatable };

const answerBytesMax = 1024 * 1024;

/** Throws invalid_header for an operation that cannot keep its response with its change. */
export function checkRepeatable({ allow, effect, name }: Operation): void {
  if (effect === "call")
    throw refused(
      `${name} runs outside of a transaction, so the server cannot keep its answer with its effect`,
    );
  if (accessOf({ allow }) !== null) throw refused(`${name} has no caller, and each key belongs to a caller`);
}

const refused = (why: string) =>
  failure("invalid_header", `${why}; send it without Idempotency-Key.`, "idempotency-key");

/** null for a new request. Throws idempotency_key_reused for a key of another request, and answer_not_kept. */
export async function findAnswer(
  context: Context,
  operation: Operation,
  call: RepeatableCall,
  forgets = false,
): Promise<KeptAnswer | null> {
  const { actor, now, store } = context;
  const { idempotencyKeys } = store;
  const { repeatable } = call;
  const { user } = actor;
  const kept = await idempotencyKeys.find(user.id, repeatable.key);
  if (!kept) return null;
  if (toEpochMs(now) - toEpochMs(kept.created_on) > repeatable.validMs) {
    if (forgets) await idempotencyKeys.forget(user.id, repeatable.key);
    return null;
  }
  if (kept.fingerprint !== (await repeatable.fingerprint())) {
    const asked = "another method, path, query, version, body, or If-Match";
    const detail = `The key was sent on ${kept.created_on} with ${asked}, or by the user with other roles, or bound to another location, driver, hauler or set of customers.`;
    throw failure("idempotency_key_reused", detail, "idempotency-key");
  }
  if (kept.answer_body === null || kept.answer_headers === null) {
    const why =
      "Its answer showed a secret, was longer than 1 MiB, or is not kept since personal data was erased.";
    throw notKept(kept, why);
  }
  if (!(await seesAnswer(context, operation, call, JSON.parse(kept.answer_body) as JsonObject)))
    throw notKept(kept, "Its answer shows a record that the caller can no longer see.");
  return {
    status: kept.status,
    headers: JSON.parse(kept.answer_headers) as Record<string, string>,
    body: kept.answer_body,
  };
}

const notKept = ({ created_on }: KeptRequest, why: string) =>
  failure("answer_not_kept", `The request was carried out on ${created_on}. ${why}`, "idempotency-key");

/** The caller may have lost a record of the response, for example a job that moved to another truck. */
async function seesAnswer(
  context: Context,
  operation: Operation,
  { body, params, version }: RepeatableCall,
  answer: JsonObject,
): Promise<boolean> {
  const { parts } = operation.changes;
  const { results } = answer as { results: readonly { body: JsonObject }[] };
  const shown = parts
    ? (await parts(await body())).map((part, at) => ({ ...part, answer: results[at]?.body ?? {} }))
    : [{ answer, operation, params }];
  for (const part of shown) {
    const { record } = part.operation.changes;
    if (record && !(await sees(context, record, { ...part, version }))) return false;
  }
  return true;
}

async function sees(
  context: Context,
  record: Operation,
  { answer, params, version }: Pick<RepeatableCall, "params" | "version"> & { answer: JsonObject },
): Promise<boolean> {
  // The response for a new record has its ID, in some old versions under another name.
  const texts = Object.keys(record.params).map((name): [string, string] => [
    name,
    params[name] ?? String(answer.id ?? answer[name]),
  ]);
  try {
    await showRecord(context, record, fromText(record.params, Object.fromEntries(texts)), version);
    return true;
  } catch (error) {
    if (error instanceof DispatchError && error.code === "record_not_found") return false;
    throw error;
  }
}

/** Stores the response, without secrets, in the transaction of the change. */
export async function keepAnswer(
  { actor, now, store }: Context,
  { output }: Operation,
  repeatable: Repeatable,
  result: OperationResult,
): Promise<void> {
  const { idempotencyKeys } = store;
  const { key } = repeatable;
  const fingerprint = await repeatable.fingerprint();
  const { body, headers, status } = repeatable.toAnswer(result);
  const bytes = Buffer.from(body);
  const isSecret = result.isSecret || isDocument(output) || holdsSecretValue(output, result.value);
  const isKept = bytes.length <= answerBytesMax && !isSecret;
  await idempotencyKeys.keep({
    answer_body: isKept ? bytes.toString("utf8") : null,
    answer_headers: isKept ? JSON.stringify(headers) : null,
    created_on: now,
    fingerprint,
    key,
    status,
    user_id: actor.user.id,
  });
}

/** Replays an earlier success if the request is refused now, for example because of its own change. */
export async function answerRefused(
  service: Service,
  operation: Operation,
  call: RepeatableCall & Pick<Context, "actor" | "now" | "trace">,
  refusal: unknown,
): Promise<KeptAnswer> {
  const { actor, now, repeatable, trace } = call;
  const { status } = refusal instanceof DispatchError ? errorKind(refusal.code) : { status: null };
  if (status === null || status >= 500) throw refusal;
  // An unreadable request has no fingerprint.
  const isRead = await repeatable.fingerprint().then(
    () => true,
    () => false,
  );
  if (!isRead) throw refusal;
  const kept = await service.store.read(actor.scope, (store) =>
    findAnswer(
      { actor, now, service, store, trace, changed: () => {}, write: (work) => work(store) },
      operation,
      call,
    ),
  );
  if (kept) return kept;
  throw refusal;
}
