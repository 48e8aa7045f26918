import { type ApiVersion, defaultVersion, isApiVersion } from "../models/api-versions.ts";
import { eventModels } from "../models/event.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import { toJson } from "../models/versions/serializer.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { HookTarget } from "../store/queries/hook-target.ts";

interface EventFacts {
  uuid: string;
  action: string;
  createdOn: Timestamp;
  kind: HookEvent;
}

interface EventWithPayload extends EventFacts {
  /** The record in the newest API version, as JSON. */
  data: string;
  /** The request that caused it, as JSON; null for an event without a change. */
  cause?: string | null;
  /** The former values of changed fields; null for a new record. */
  previous: string | null;
}

export function toBody(
  event: EventWithPayload,
  tenantId: number,
  { apiVersion, includesCause, includesPrevious }: BodyOptions,
): string {
  const version = isApiVersion(apiVersion) ? apiVersion : defaultVersion;
  const previous = includesPrevious ? writePrevious(event, version) : undefined;
  const cause = includesCause ? (event.cause ?? "null") : undefined;
  return toBodyAt(event, tenantId, version, writeRecord(event, version), { cause, previous });
}

export type BodyOptions = Pick<HookTarget, "apiVersion" | "includesCause" | "includesPrevious">;

/** The former values of fields changed in this version. Embedded records are current. */
function writePrevious(event: EventWithPayload, version: ApiVersion): string {
  if (event.previous === null) return "null";
  const now = JSON.parse(event.data) as JsonObject;
  const before = { ...now, ...(JSON.parse(event.previous) as JsonObject) };
  const shown = JSON.parse(writeRecord(event, version)) as JsonObject;
  const shownBefore = JSON.parse(toJson(eventModels[event.kind], before, version)) as JsonObject;
  const changed = Object.entries(shownBefore).filter(([name, value]) => !isSame(value, shown[name]));
  return JSON.stringify(Object.fromEntries(changed));
}

/** A cache: a tenant's webhooks get an event at nearly the same time. */
const written = new Map<string, { kind: HookEvent; data: string; text: string }>();
const writtenMax = 256;
const writtenCharactersMax = 8 * 1024;

function writeRecord({ uuid, kind, data }: EventWithPayload, version: ApiVersion): string {
  const key = `${version} ${uuid}`;
  const known = written.get(key);
  // Tests may reuse a UUID, so the UUID alone is not enough.
  if (known?.kind === kind && known.data === data) return known.text;
  const text = toJson(eventModels[kind], JSON.parse(data), version);
  if (data.length > writtenCharactersMax) return text;
  const [oldest] = written.size < writtenMax ? [] : written.keys();
  if (oldest !== undefined) written.delete(oldest);
  written.set(key, { kind, data, text });
  return text;
}

/** `data`, `cause`, and `previous` are JSON in the version's shape already. */
export function toBodyAt(
  event: EventFacts,
  tenantId: number,
  version: ApiVersion,
  data: string,
  { cause, previous }: { cause?: string | undefined; previous?: string | undefined } = {},
): string {
  const caused = cause === undefined ? "" : `"cause":${cause},`;
  const before = previous === undefined ? "" : `"previous":${previous},`;
  return `{"action":${JSON.stringify(event.action)},"api_version":${JSON.stringify(version)},${caused}"data":${data},"id":${JSON.stringify(event.uuid)},${before}"tenant_id":${tenantId},"timestamp":${JSON.stringify(event.createdOn)},"type":${JSON.stringify(event.kind)}}`;
}
