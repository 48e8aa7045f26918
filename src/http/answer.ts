import type { Actor } from "../core/actor.ts";
import type { LoginAttempts } from "../core/login-attempts.ts";
import { isTaggedRead, mayShowSecret, type Operation, routeOf, takesPassword } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { type Ending, endingOf } from "../models/versions/index.ts";
import { linkCures } from "../operations/link-cures.ts";
import { noteWait } from "../runtime/noted-work.ts";
import { answerCall } from "./answer-call.ts";
import { type AnswerMemory, toKnownCaller } from "./answer-memory.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { finishAnswer } from "./content-coding.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { type FailAsAsked, UnansweredRequest } from "./faults/fail-as-asked.ts";
import { allMethods, parseVersion, preflightAnswer, toCommonHeaders, toShownVersion } from "./headers.ts";
import {
  type FullAnswer,
  type HttpAnswer,
  type HttpRequest,
  type IncomingRequest,
  requireClient,
  unansweredRequest,
} from "./http-messages.ts";
import type { KeysInUse } from "./idempotency-key.ts";
import { anybody, type Identify, type Identity } from "./identify.ts";
import type { MetricsPageOptions } from "./metrics/metrics-page.ts";
import type { Readers } from "./readers/readers.ts";
import type { Readiness } from "./readiness.ts";
import type { QueuePlace, RequestQueues } from "./request-queues.ts";
import type { Streams } from "./streams/streams.ts";

export interface Answering {
  service: Service;
  base: string;
  /** Missing: uses of passwords by public operations are not counted. */
  attempts?: LoginAttempts;
  answers: AnswerMemory;
  /** Answers a request from within this server, for a page that calls operations. */
  ask: Ask;
  callers: CallerKeys;
  identify: Identify;
  fail?: FailAsAsked;
  keysInUse: KeysInUse;
  queues: RequestQueues;
  readiness: () => Promise<Readiness>;
  streams: Streams;
  metrics?: MetricsPageOptions;
  /** Missing: this thread runs long reads too. */
  readers?: Readers;
}

/** Never throws; passes our own faults to `onFault`. */
export type Ask = (
  request: IncomingRequest,
  onFault: (error: unknown) => void,
) => FullAnswer | Promise<FullAnswer>;

/** Checks method, caller, tenant, version, role, parameters, body, record, in this order. Never throws. */
export async function answerRequest(
  answering: Answering,
  route: Route,
  incoming: HttpRequest,
  onFault: (error: unknown) => void,
): Promise<FullAnswer> {
  const asked = receive(answering, route, incoming);
  try {
    if (incoming.method === "OPTIONS") return await respond(asked, preflightAnswer);
    const operation = routeRequest(asked);
    await takeTurn(asked.place, asked.request);
    const caller = await identify(asked, operation);
    const authorized = await authorize(asked, operation, caller);
    const withhold = await answering.fail?.(asked.request, authorized.actor, asked.place);
    const answer = await run(asked, authorized);
    await withhold?.();
    return await shape(asked, authorized, answer);
  } catch (error) {
    return await refuse(asked, error, onFault);
  } finally {
    asked.place.leave();
  }
}

interface AskedRequest {
  answering: Answering;
  route: Route;
  place: QueuePlace;
  request: HttpRequest;
  version: ApiVersion;
  isSecret: boolean;
}

interface AuthorizedRequest {
  actor: Actor;
  caller: IdentifiedCaller;
  operation: Operation;
  revision: number | null;
}

interface IdentifiedCaller extends Identity {
  /** The revision of shared rows before the lookup of the caller; null if the response is not cached. */
  sharedBefore: number | null;
}

function receive(answering: Answering, route: Route, incoming: HttpRequest): AskedRequest {
  const place = answering.queues.placeFor(answering.callers.keyOf(incoming));
  const request = incoming.method === "GET" ? incoming : leaveForBody(incoming, place);
  const version = toShownVersion(request.headers["x-api-version"], null);
  return { answering, route, place, request, version, isSecret: false };
}

function routeRequest(asked: AskedRequest): Operation {
  const operation = findOperation(asked.route, asked.request);
  asked.request.client.operation = operation.name;
  asked.isSecret = mayShowSecret(operation);
  return operation;
}

async function identify(
  { answering, isSecret, request }: AskedRequest,
  operation: Operation,
): Promise<IdentifiedCaller> {
  const isKept = isTaggedRead(operation) && operation.reads.varies === undefined && !isSecret;
  const sharedBefore = isKept ? answering.service.store.database.sharedRevision() : null;
  // Before the hash of the password, which takes 100 ms.
  if (takesPassword(operation)) answering.attempts?.count(request.client.address ?? "");
  const caller = operation.allow === "anyone" ? anybody : await answering.identify(request, operation);
  return { ...caller, sharedBefore };
}

/** The tenant comes before the version, because a token may name its version. */
async function authorize(
  asked: AskedRequest,
  operation: Operation,
  caller: IdentifiedCaller,
): Promise<AuthorizedRequest> {
  const { callers, service } = asked.answering;
  const { request } = asked;
  const { sharedBefore, token } = caller;
  const named = request.headers["x-api-version"];
  const pinned = token?.api_version ?? null;
  asked.version = toShownVersion(named, pinned);
  const actor = await caller.actor();
  if (token) callers.learn(request, actor.scope.tenantId);
  request.client.caller = toKnownCaller({ actor, operation: operation.name, version: asked.version });
  asked.version = parseVersion(named, pinned);
  service.usage.note(actor, operation.name, asked.version);
  const revision = sharedBefore === null ? null : readRevision(service, actor, sharedBefore);
  return { actor, caller, operation, revision };
}

const here: Pick<Readers, "answer"> = { answer: answerCall };

async function run(
  { answering, place, request, version }: AskedRequest,
  { actor, caller, operation }: AuthorizedRequest,
): Promise<HttpAnswer> {
  const { keysInUse, readers, service } = answering;
  // The call waits for another server and uses no time of this process.
  if (operation.effect === "call") place.leave();
  const { countPart } = caller;
  const known = { actor, countPart, keysInUse, operation, place, request, service, version };
  const made = await (readers ?? here).answer(known);
  return addEnding(made, endingOf(operation, version));
}

async function shape(
  asked: AskedRequest,
  { actor, caller, operation, revision }: AuthorizedRequest,
  answer: HttpAnswer,
): Promise<FullAnswer> {
  if (!isTaggedRead(operation)) return respond(asked, answer);
  const { answering, request, version } = asked;
  const facts = { actor, operation: operation.name, revision, token: caller.token, version };
  return answering.answers.keep(request, { ...facts, answer, common: toCommon(asked) });
}

function respond(asked: AskedRequest, answer: HttpAnswer): FullAnswer | Promise<FullAnswer> {
  return finishAnswer({ ...answer, headers: { ...toCommon(asked), ...answer.headers } }, asked.request);
}

const toCommon = ({ isSecret, request, route, version }: AskedRequest) => ({
  ...toCommonHeaders(request.id, version, route.allow),
  ...(isSecret && { "cache-control": "no-store" }),
});

async function refuse(
  asked: AskedRequest,
  error: unknown,
  onFault: (error: unknown) => void,
): Promise<FullAnswer> {
  const { answering, request } = asked;
  if (error instanceof UnansweredRequest) return unansweredRequest;
  if (!(error instanceof DispatchError)) onFault(error);
  else answering.callers.noteRefusal(request, error);
  return respond(asked, toErrorAnswer(error, request.id, request, await linkCures(error)));
}

/** A sender may take any time for the body, so the request gives up its place until then. */
function leaveForBody(request: HttpRequest, place: QueuePlace): HttpRequest {
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

/** Throws malformed_request if the client has closed the connection. */
export async function takeTurn(place: QueuePlace, { client }: HttpRequest): Promise<void> {
  const turn = place.take();
  if (!turn) return;
  await turn;
  requireClient(client);
}

function findOperation(route: Route, { method, path }: HttpRequest): Operation {
  const operation = route.operations.get(method === "HEAD" ? "GET" : method);
  // HEAD has no effect (RFC 9110, 9.2.1), but a GET that calls a webhook has one.
  if (operation && (method !== "HEAD" || operation.effect === "read")) return operation;
  throw failure("method_not_allowed", `${path} takes ${route.allow.replaceAll(",", ", ")}, not ${method}.`);
}

/** null if a shared row has changed since the lookup of the actor, which may be outdated. */
function readRevision({ store }: Service, { scope }: Actor, sharedBefore: number): number | null {
  const revision = store.database.revision(scope.tenantId);
  return store.database.sharedRevision() === sharedBefore ? revision : null;
}

/** Adds Deprecation (RFC 9745), Sunset (RFC 8594) if the end is known, and links to the page about the change. */
export function addEnding(answer: HttpAnswer, ending: Ending | null): HttpAnswer {
  if (ending === null) return answer;
  const { deprecatedOn, endsOn, page } = ending;
  const links = [answer.headers.link, `<${page}>; rel="deprecation"; type="text/html"`];
  if (endsOn !== undefined) links.push(`<${page}>; rel="sunset"; type="text/html"`);
  const headers = {
    ...answer.headers,
    deprecation: `@${toMs(deprecatedOn) / 1000}`,
    ...(endsOn !== undefined && { sunset: new Date(toMs(endsOn)).toUTCString() }),
    link: links.filter((link) => link !== undefined).join(", "),
  };
  return { ...answer, headers };
}

const toMs = (date: string) => Date.parse(`${date.replaceAll("/", "-")}T00:00:00Z`);

interface Route {
  path: string;
  operations: ReadonlyMap<string, Operation>;
  /** All methods of the path in any version. */
  allow: string;
}

export function toRoutes(operations: readonly Operation[]): Route[] {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const { method, path } = routeOf(operation);
    const methods = paths.get(path) ?? new Map<string, Operation>();
    paths.set(path, methods.set(method, operation));
  }
  return [...paths].map(([path, methods]) => ({
    path,
    operations: methods,
    allow: allMethods.filter((method) => methods.has(method)).join(","),
  }));
}
