import type { Actor } from "../../auth/actor.ts";
import { callOperation } from "../../core/call-operation.ts";
import { isDocument, rolesOf } from "../../core/operation.ts";
import { isAllowed } from "../../core/require-role.ts";
import type { Service } from "../../core/service.ts";
import { DispatchError } from "../../errors/errors.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { JsonObject } from "../../models/json.ts";
import { toJson } from "../../models/versions/serializer.ts";
import { loadOperation } from "../../operations/index.ts";
import { getOfEvent, toGetParams } from "../../records/event-records.ts";
import { writeSentEvent } from "../../runtime/server-sent-events.ts";
import type { LoggedEvent } from "../../store/queries/events.ts";
import { toBody, toBodyAt } from "../../webhooks/event-body.ts";

/** Who is shown events, and how. */
export interface Onlooker {
  actor: Actor;
  /** The request of the stream. */
  requestId: string;
  version: ApiVersion;
}

/**
 * An event as its onlooker is shown it; null where the onlooker may not get the record. Who sees the whole tenant gets what a
 * webhook gets. Who sees a part of it gets the record as the operation that gets it answers now: its payload was made
 * for the whole tenant, and shows what may have been out of sight.
 */
export async function showEvent(
  service: Service,
  { actor, requestId, version }: Onlooker,
  event: LoggedEvent,
): Promise<string | null> {
  const { action, created_on: createdOn, data, kind, previous, record_id: recordId, uuid } = event;
  const { tenantId, rowScopes } = actor.scope;
  const write = (body: string) => writeSentEvent({ event: kind, id: uuid, data: body });
  const toOwnBody = () => {
    const target = { apiVersion: version, includesPrevious: false };
    return write(toBody({ action, createdOn, data, kind, previous, uuid }, tenantId, target));
  };
  const operation = await loadOperation(getOfEvent(kind));
  if (!isAllowed(actor.roles, rolesOf(operation)) || isDocument(operation.output)) return null;
  if (rowScopes.some((scope) => scope.kind === "tenant")) return toOwnBody();
  try {
    const params = toGetParams({ kind, recordId, data: JSON.parse(data) as JsonObject });
    const call = { actor, body: async () => undefined, params, query: {}, requestId, version };
    const { value } = await callOperation(service, operation, call);
    if (kind === "Ping") return toOwnBody();
    const shown = toJson(operation.output, value, version);
    return write(toBodyAt({ action, createdOn, kind, uuid }, tenantId, version, shown));
  } catch (error) {
    if (error instanceof DispatchError && error.code === "record_not_found") return null;
    throw error;
  }
}
