import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonSchema } from "../models/fields.ts";
import { sampleId, sampleUuid } from "../models/versions/sample-record.ts";
import { programVersion } from "../runtime/program-version.ts";
import type { Ref } from "./headers.ts";
import type { Parameter } from "./parameters.ts";

/** The headers of the deliveries of a kind, those of HTTP itself aside. */
export function toDeliveryHeaders(kind: HookEvent): (Parameter | Ref)[] {
  return [
    toHeader("x-service-event", "The kind of the event.", { type: "string", enum: [kind] }, kind),
    ...[...headers.map(({ name }) => name), versionHeader].map((name) => ({
      $ref: `#/components/parameters/${componentName(name)}`,
    })),
  ];
}

/** Those that all kinds have, as components of the document at a version. */
export function toSharedDeliveryHeaders(version: ApiVersion): Record<string, Parameter> {
  const told = "The webhook's version: the shape of `data`.";
  const shared = [...headers, toHeader(versionHeader, told, { type: "string", enum: [version] }, version)];
  return Object.fromEntries(shared.map((header) => [componentName(header.name), header]));
}

const versionHeader = "x-api-version";

/** The document's requests have headers of the same names. */
const componentName = (name: string) => `delivery-${name}`;

const uuid: JsonSchema = { type: "string", format: "uuid" };

const headers: readonly Parameter[] = [
  toHeader("user-agent", "Who sends it.", { type: "string" }, `dispatch-cli/${programVersion}`),
  toHeader("webhook-id", "The event's id, as in the body (Standard Webhooks).", uuid, sampleUuid),
  toHeader(
    "webhook-signature",
    "Standard Webhooks: `v1,` and the Base64 HMAC-SHA256 of webhook-id, `.`, webhook-timestamp, `.` and the body. While a secret is being replaced there are two, the newer first, with a space between them.",
    { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$" },
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  toHeader(
    "webhook-timestamp",
    "The Unix second of this attempt, UTC (Standard Webhooks). Refuse one that is more than 5 minutes from your clock.",
    { type: "string", pattern: "^\\d+$" },
    "1795249800",
  ),
  toHeader(
    "x-service-delivery",
    "The delivery's id, the same in every attempt; `GET /hooks/{hook_id}/deliveries/{delivery_id}` takes it.",
    uuid,
    "0d5f1c86-6a4f-4f0e-9d2b-1f6a4c3e2b10",
  ),
  toHeader(
    "x-service-signature",
    "`sha1=` and the hex HMAC-SHA1 of the body, by the newest secret.",
    { type: "string", pattern: "^sha1=[0-9a-f]{40}$" },
    "sha1=de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9",
  ),
  {
    ...toHeader(
      "x-service-replay",
      "A replay was asked for: the event's id is that of the first delivery, which may have been taken. It is absent otherwise.",
      { type: "string", enum: ["true"] },
      "true",
    ),
    required: false,
  },
  {
    ...toHeader(
      "traceparent",
      "The trace of the request that made the event, as W3C Trace Context has it; each attempt is a span of its own. It is absent where no request made it.",
      { type: "string", pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$" },
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ),
    required: false,
  },
  {
    ...toHeader(
      "tracestate",
      "What the request's `tracestate` said of its trace. It is absent where it said nothing.",
      { type: "string", maxLength: 512 },
      "vendor=opaque",
    ),
    required: false,
  },
  toHeader("x-tenant-id", "The tenant whose record it is.", { type: "integer", minimum: 1 }, sampleId),
];

function toHeader(name: string, description: string, schema: JsonSchema, example: unknown): Parameter {
  return { name, in: "header", required: true, description, schema, example };
}
