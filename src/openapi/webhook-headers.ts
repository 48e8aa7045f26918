import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonSchema } from "../models/fields.ts";
import { sampleId, sampleUuid } from "../models/versions/sample-record.ts";
import { programVersion } from "../runtime/program-version.ts";
import type { Ref } from "./headers.ts";
import type { Parameter } from "./parameters.ts";

/** Without the standard HTTP headers. */
export function toDeliveryHeaders(kind: HookEvent): (Parameter | Ref)[] {
  return [
    toHeader("x-service-event", "The kind of the event.", { type: "string", enum: [kind] }, kind),
    ...[...headers.map(({ name }) => name), versionHeader].map((name) => ({
      $ref: `#/components/parameters/${componentName(name)}`,
    })),
  ];
}

export function toSharedDeliveryHeaders(version: ApiVersion): Record<string, Parameter> {
  const about = "The webhook's version, which determines the form of `data`.";
  const shared = [...headers, toHeader(versionHeader, about, { type: "string", enum: [version] }, version)];
  return Object.fromEntries(shared.map((header) => [componentName(header.name), header]));
}

const versionHeader = "x-api-version";

/** Headers of requests may have the same names. */
const componentName = (name: string) => `delivery-${name}`;

const uuid: JsonSchema = { type: "string", format: "uuid" };

const headers: readonly Parameter[] = [
  toHeader("user-agent", "The sender.", { type: "string" }, `dispatch-cli/${programVersion}`),
  toHeader("webhook-id", "The event's id, as in the body (Standard Webhooks).", uuid, sampleUuid),
  toHeader(
    "webhook-signature",
    "Standard Webhooks: `v1,` and the Base64 HMAC-SHA256 of webhook-id, `.`, webhook-timestamp, `.` and the body. During a rotation of the secret it has two signatures, the newer first, separated by a space.",
    { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$" },
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  toHeader(
    "webhook-timestamp",
    "The Unix second of this attempt, UTC (Standard Webhooks). Reject a timestamp that differs from your clock by more than 5 minutes.",
    { type: "string", pattern: "^\\d+$" },
    "1795249800",
  ),
  toHeader(
    "x-service-delivery",
    "The delivery's id, the same in every attempt. `GET /hooks/{hook_id}/deliveries/{delivery_id}` returns the delivery.",
    uuid,
    "0d5f1c86-6a4f-4f0e-9d2b-1f6a4c3e2b10",
  ),
  toHeader(
    "x-service-signature",
    "`sha1=` and the hex HMAC-SHA1 of the body, with the newest secret.",
    { type: "string", pattern: "^sha1=[0-9a-f]{40}$" },
    "sha1=de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9",
  ),
  {
    ...toHeader(
      "x-service-replay",
      "Present for a replay. The event's id equals the id of the first delivery, which the receiver may have accepted.",
      { type: "string", enum: ["true"] },
      "true",
    ),
    required: false,
  },
  {
    ...toHeader(
      "traceparent",
      "The trace of the request that caused the event (W3C Trace Context); each attempt is a span. Absent for events without a request.",
      { type: "string", pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$" },
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ),
    required: false,
  },
  {
    ...toHeader(
      "tracestate",
      "The request's `tracestate`, if it had one.",
      { type: "string", maxLength: 512 },
      "vendor=opaque",
    ),
    required: false,
  },
  toHeader("x-tenant-id", "The tenant of the record.", { type: "integer", minimum: 1 }, sampleId),
];

function toHeader(name: string, description: string, schema: JsonSchema, example: unknown): Parameter {
  return { name, in: "header", required: true, description, schema, example };
}
