import { type Actor, nobody } from "../auth/actor.ts";
import type { LoginAttempts } from "../auth/login-attempts.ts";
import { rememberCallers } from "../auth/remember-callers.ts";
import { authenticate, toHomeActor, toTenantActor } from "../auth/tokens.ts";
import { isTaggedRead, mayShowSecret, type Operation, takesPassword } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { endingOf } from "../models/versions/endings.ts";
import { linkCures } from "../operations/link-cures.ts";
import { noteWait } from "../runtime/noted-work.ts";
import type { Token } from "../store/queries/tokens.ts";
import { answerCall } from "./answer-call.ts";
import { type AnswerMemory, toKnownCaller } from "./answer-memory.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { finishAnswer } from "./content-coding.ts";
import { addEnding } from "./ending-headers.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { type FailAsAsked, UnansweredRequest } from "./faults/fail-as-asked.ts";
import { parseTenantId, parseVersion, preflightAnswer, toCommonHeaders, toShownVersion } from "./headers.ts";
import { type FullAnswer, type HttpAnswer, unansweredRequest } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";
import type { KeysInUse } from "./idempotency-key.ts";
import type { MetricsPageOptions } from "./metrics/metrics-page.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Readers } from "./readers/readers.ts";
import type { Readiness } from "./readiness.ts";
import type { Place, RequestQueues } from "./request-queues.ts";
import type { Route } from "./routes.ts";
import type { Streams } from "./streams/streams.ts";

/** Says who calls: over the network the token's user, on a local store the acting user. */
export type Identify = (request: HttpRequest, operation: Pick<Operation, "allow">) => Promise<Identity>;

/** A caller that is known: the actor in a tenant, and the token that was shown. */
interface Identity {
  actor(): Promise<Actor>;
  /** The same as it is by then, and counted nowhere. Throws when the token, or its user's access to the tenant, has ended. */
  again(): Promise<Actor>;
  /** Counts an operation that is part of the request against the requests of the token. */
  countPart?: () => void;
  /** null for those who need none. */
  token: Pick<Token, "api_version" | "expires_on" | "id" | "name" | "revoked_on"> | null;
}

/** Public operations are for everybody, so the server does not read what a request says of its caller. */
const anybody: Identity = { actor: async () => nobody, again: async () => nobody, token: null };

/**
 * Identifies callers by the authorization and x-tenant-id headers. Whoever shows a token that is not good has `attempts`
 * for that; one that is good is looked at first, and never refused for the others. Its request is counted in `rateLimits`.
 */
export function identifyByToken(
  service: Service,
  attempts?: LoginAttempts,
  rateLimits?: RateLimits,
): Identify {
  const known = rememberCallers(service);
  return async ({ client, headers }, operation) => {
    const token = await authenticate(known, headers.authorization).catch((error: unknown) => {
      // Who shows no token at all guesses none.
      const isGuess = error instanceof DispatchError && headers.authorization !== undefined;
      if (isGuess && error.code === "unauthenticated") attempts?.count(client.address ?? "");
      throw error;
    });
    client.isKnown = true;
    client.token = token;
    rateLimits?.take(token.id, client);
    const toCaller = (shown: Token) =>
      operation.allow === "token"
        ? toHomeActor(known, shown)
        : toTenantActor(known, shown, parseTenantId(headers["x-tenant-id"]));
    return {
      actor: () => toCaller(token),
      again: async () => toCaller(await authenticate(known, headers.authorization)),
      ...(rateLimits && { countPart: () => rateLimits.owe(token.id, client) }),
      token,
    };
  };
}

/** What answers requests: the service, the answers that it gave before, and who asks. */
export interface Answering {
  service: Service;
  /** What stands before every path of the server. */
  base: string;
  /** Without it nobody counts how often who may be anybody uses a password. */
  attempts?: LoginAttempts;
  answers: AnswerMemory;
  callers: CallerKeys;
  identify: Identify;
  /** Of a sandbox server: does what requests ask to go wrong. */
  fail?: FailAsAsked;
  keysInUse: KeysInUse;
  queues: RequestQueues;
  readiness: () => Promise<Readiness>;
  streams: Streams;
  /** Without it there is no page of figures. */
  metrics?: MetricsPageOptions;
  /** Without it long reads are done as all others. */
  readers?: Readers;
}

/**
 * Answers a request to a known path. Checks in the order of OP-18: method, authorization, tenant, version, then role,
 * parameters, body and record in callOperation. Never throws; faults of our own are handed to `onFault`.
 */
export async function answerRequest(
  answering: Answering,
  route: Route,
  incoming: HttpRequest,
  onFault: (error: unknown) => void,
): Promise<FullAnswer> {
  const { service, answers, callers, keysInUse, readers } = answering;
  const place = answering.queues.placeFor(callers.keyOf(incoming));
  const request = incoming.method === "GET" ? incoming : leaveForBody(incoming, place);
  const requestId = request.id;
  let version = toShownVersion(request.headers["x-api-version"], null);
  let isSecret = false;
  const toCommon = () => ({
    ...toCommonHeaders(requestId, version, route.allow),
    ...(isSecret && { "cache-control": "no-store" }),
  });
  const finish = (answer: HttpAnswer) =>
    finishAnswer({ ...answer, headers: { ...toCommon(), ...answer.headers } }, request);
  if (request.method === "OPTIONS") return finish(preflightAnswer);
  try {
    const operation = findOperation(route, request);
    request.client.operation = operation.name;
    await takeTurn(place, request);
    const isTagged = isTaggedRead(operation);
    isSecret = mayShowSecret(operation);
    const isKept = isTagged && operation.reads.varies === undefined && !isSecret;
    const sharedBefore = isKept ? service.store.database.sharedRevision() : null;
    const caller = await findCaller(answering, operation, request);
    const pinned = caller.token?.api_version ?? null;
    version = toShownVersion(request.headers["x-api-version"], pinned);
    const actor = await caller.actor();
    if (caller.token) callers.learn(request, actor.scope.tenantId);
    const { token } = caller;
    request.client.caller = toKnownCaller({ actor, operation: operation.name, version });
    version = parseVersion(request.headers["x-api-version"], pinned);
    const withhold = await answering.fail?.(request, actor, place);
    service.usage.note(actor, operation.name, version);
    const revision = isKept ? readRevision(service, actor, sharedBefore) : null;
    // It waits for somebody else's server, which takes none of the process's time.
    if (operation.effect === "call") place.leave();
    const { countPart } = caller;
    const known = { actor, countPart, keysInUse, operation, place, request, service, version };
    const made = await (readers?.takes(known) ? readers.answer(known) : answerCall(known));
    const answer = addEnding(made, endingOf(operation, version));
    await withhold?.();
    if (!isTagged) return await finish(answer);
    const facts = { actor, operation: operation.name, revision, token, version };
    return await answers.keep(request, { ...facts, answer, common: toCommon() });
  } catch (error) {
    if (error instanceof UnansweredRequest) return unansweredRequest;
    if (!(error instanceof DispatchError)) onFault(error);
    else callers.noteRefusal(request, error);
    return finish(toErrorAnswer(error, requestId, request, await linkCures(error)));
  } finally {
    place.leave();
  }
}

/** While the body arrives, which takes as long as its sender likes, the request has no place. */
function leaveForBody(request: HttpRequest, place: Place): HttpRequest {
  const readBody = async () => {
    place.leave();
    const since = performance.now();
    const bytes = await request.readBody();
    noteWait("body", performance.now() - since);
    await takeTurn(place, request);
    return bytes;
  };
  return { ...request, readBody };
}

/** Waits for the request's turn. Throws malformed_request when its client went away meanwhile: nothing is done for nobody. */
export async function takeTurn(place: Place, { client }: HttpRequest): Promise<void> {
  const turn = place.take();
  if (!turn) return;
  await turn;
  if (client.isGone?.()) throw failure("malformed_request", "Its client went away before its turn came.");
}

async function findCaller(
  { attempts, identify }: Answering,
  operation: Operation,
  request: HttpRequest,
): Promise<Identity> {
  // Before the password is hashed, which takes a tenth of a second.
  if (takesPassword(operation)) attempts?.count(request.client.address ?? "");
  return operation.allow === "anyone" ? anybody : await identify(request, operation);
}

function findOperation(route: Route, { method, path }: HttpRequest): Operation {
  const operation = route.operations.get(method === "HEAD" ? "GET" : method);
  // HEAD has no effect (RFC 9110, 9.2.1), and a GET that calls a webhook has one.
  if (operation && (method !== "HEAD" || operation.effect === "read")) return operation;
  throw failure("method_not_allowed", `${path} takes ${route.allow.replaceAll(",", ", ")}, not ${method}.`);
}

/**
 * The revision of the actor's tenant; null unless what tenants share is as it was before the actor was identified, for
 * only then both hold at the revision.
 */
function readRevision({ store }: Service, { scope }: Actor, sharedBefore: number | null): number | null {
  const revision = store.database.revision(scope.tenantId);
  return store.database.sharedRevision() === sharedBefore ? revision : null;
}
