import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { AnsweredRequest, RequestContents, Serving } from "../core/serving.ts";
import { failure } from "../errors/errors.ts";
import {
  type AnsweredRequestFilters,
  AnsweredRequestListModel,
  answeredRequestFilters,
  changesShownMax,
  RecordedRequestModel,
} from "../models/answered-request.ts";
import { uuid } from "../models/fields.ts";
import { toEvent } from "./events.ts";
import { found, requireTenantWide } from "./records.ts";

export const getRequest = defineOperation({
  name: "requests.get",
  summary: "Show a request that the server answered: headers, bodies, and what it changed",
  description:
    "A server records the contents of requests when its operator enables that, or when its store is a sandbox: in memory, 2 MiB per tenant, dropping the oldest first. `***` replaces passwords, tokens, secrets, cookies, and custom headers of webhooks.",
  route: "GET /requests/{request_id}",
  params: { request_id: uuid() },
  output: RecordedRequestModel,
  allow: ["Admin"],
  extension: true,
  ofServer: true,
  reads: { varies: "by-call" },
  async run({ actor, service, store }, { params: { request_id: requestId } }) {
    requireTenantWide(actor);
    const { find } = requireServing(service).requests;
    if (!find) throw notRecorded();
    const { answered, contents } = found(await find(actor.scope.tenantId, requestId), "request", requestId);
    const changes = await readChanges(store, answered);
    return { ...answered, ...(contents ?? noContents), ...changes };
  },
});

const notRecorded = () =>
  failure(
    "state_conflict",
    "This server does not record the contents of requests; its operator can enable that (inspect). GET /requests lists the requests.",
  );

const noContents: { [Name in keyof RequestContents]: null } = {
  answer: null,
  query: null,
  request: null,
  started_on: null,
};

/** A refused request stored nothing, even if another request with the same id did. */
async function readChanges(
  { audit, events }: Context["store"],
  { request_id, status, user_id }: AnsweredRequest,
) {
  if (user_id === null || status >= 400) return { audit: [], events: [] };
  const entries = await audit.namedBy(user_id, request_id, changesShownMax);
  const [first] = entries;
  if (!first?.trace_id) return { audit: entries, events: [] };
  const moments = [...new Set(entries.map(({ created_on }) => created_on))];
  const made = await events.ofTrace(first.trace_id, moments, changesShownMax);
  return { audit: entries, events: made.map(toEvent) };
}

export const tailRequests = defineOperation({
  name: "requests.tail",
  summary: "List the last requests that the server answered to the tenant, oldest first",
  route: "GET /requests",
  query: answeredRequestFilters,
  output: AnsweredRequestListModel,
  allow: ["Admin"],
  extension: true,
  ofServer: true,
  reads: { varies: "by-call" },
  async run({ actor, service }, { query }) {
    requireTenantWide(actor);
    const isWanted = toFilter(query);
    const { cursor, missed, requests } = await requireServing(service).requests.read(
      actor.scope.tenantId,
      query.after ?? null,
      query.text ?? null,
    );
    return { cursor, missed, results: requests.filter(isWanted) };
  },
});

function toFilter({ method, path, status, token_id }: AnsweredRequestFilters) {
  const isStatus = toStatusFilter(status ?? null);
  return (request: AnsweredRequest) =>
    isStatus(request.status) &&
    (!method || request.method === method) &&
    (!path || request.path.includes(path)) &&
    (!token_id || request.token_id === token_id);
}

function toStatusFilter(wanted: string | null): (status: number) => boolean {
  if (wanted === null) return () => true;
  if (/^[1-5]xx$/i.test(wanted)) return (status) => String(status).startsWith(wanted.charAt(0));
  if (/^[1-5]\d\d$/.test(wanted)) return (status) => String(status) === wanted;
  throw failure("invalid_choice", "status must be a status like 404, or 2xx, 4xx and the like.", "status");
}

/** Throws state_conflict if the store is not served. */
function requireServing({ serving }: Pick<Service, "serving">): Serving {
  if (serving) return serving;
  throw failure("state_conflict", "Only a server lists its requests; this store is not served.");
}
