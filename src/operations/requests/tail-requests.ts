import { defineOperation } from "../../core/operation.ts";
import type { AnsweredRequest } from "../../core/serving.ts";
import { failure } from "../../errors/errors.ts";
import {
  type AnsweredRequestFilters,
  AnsweredRequestListModel,
  answeredRequestFilters,
} from "../../models/answered-request.ts";
import { requireTenantWide } from "../records.ts";
import { requireServing } from "./require-serving.ts";

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
