import { failure } from "../../errors/errors.ts";
import { isObject, type JsonObject } from "../../models/json.ts";
import { toRecordName } from "./audit-cells.ts";
import { toTitle } from "./change.ts";
import type { Card, Cells, PresentationsOf, Told } from "./presentation.ts";
import { tellMoment } from "./tell-time.ts";
import type { View } from "./view.ts";

// The body is the same in each attempt.
const deliveryCard: Card = {
  leads: {
    what: ({ action, event, record_id }) => `${event} ${record_id} ${action}`,
    status: ({ attempt, status }) => `${status}, ${attempt} ${attempt === 1 ? "attempt" : "attempts"}`,
    to: ({ request }) => toPartText(request, "url"),
    headers: ({ request }) => toHeaders(request),
    body: ({ request }) => toPartText(request, "body"),
  },
  tells: [
    ...[
      "action",
      "attempt",
      "duration_ms",
      "event",
      "http_status",
      "message",
      "record_id",
      "request",
      "response",
    ],
    "status",
  ],
};

/** `1 · 14:05 · 500 in 12 ms: …` and the receiver's response. */
export function tellAttempt(attempt: JsonObject, view: View): string {
  const { duration_ms, http_status, message, response } = attempt;
  const took = duration_ms === null ? "" : ` in ${duration_ms} ms`;
  const answer = toPartText(response, "body");
  const facts = [
    attempt.attempt,
    tellMoment("started_on", attempt, view),
    `${http_status ?? "–"}${took}: ${message ?? ""}`,
    answer === "" ? "" : `response: ${answer}`,
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

function toPartText(part: unknown, field: string): string {
  return isObject(part) && typeof part[field] === "string" ? part[field] : "";
}

function toHeaders(request: unknown): string {
  const headers = isObject(request) && isObject(request.headers) ? request.headers : {};
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

// A server sends them later; the response only counts them.
const toldReplay: Told = {
  tell: ({ after: { count } }) => `Sending ${count === 1 ? "1 delivery" : `${count} deliveries`} again`,
};

const cells: Cells = { record: ({ record_id, type }) => toRecordName(type, record_id) };

export const presentations = {
  "hooks.create": {
    example: "hooks create --events Job --events Truck --callback-url https://example.com/hook",
  },
  "hooks.list": {
    cells: { events: ({ subscriptions }) => (subscriptions as string[]).join(", ") },
    columns: ["id", "url", "events", "description", "deleted_at", "last_http_success", "last_http_fail"],
    example: "hooks list",
  },
  "hooks.get": { example: "hooks get 1" },
  "hooks.update": { example: "hooks update 1 --events Job --events Customer" },
  "hooks.delete": { example: "hooks delete 2 --yes" },
  "hooks.ping": {
    example: "hooks ping 1",
    failureIn: ({ http_status, message }) =>
      Number(http_status) >= 200 && Number(http_status) <= 299
        ? null
        : failure("ping_failed", String(message)),
  },
  "hooks.trigger": { example: "hooks trigger Truck --record 1 --hook 1" },
  "hooks.rotate-secret": { example: "hooks rotate-secret 1 --overlap-hours 48" },
  "hooks.replay": {
    told: toldReplay,
    example: "hooks replay 1 --from 2026-11-20 --delivered --dry-run",
  },
  "hooks.enable": {
    asks: ["backlog"],
    told: {
      tell: ({ after, before, kind }) => {
        const wasActive = before !== null && before.deleted_at === null;
        return `${toTitle(kind, after)} ${wasActive ? "was already active" : "active again"}`;
      },
      needsBefore: true,
    },
    example: "hooks enable 2 --backlog send",
  },
  "deliveries.list": {
    cells: {
      record: ({ event, record_id }) => (record_id === null ? String(event) : toRecordName(event, record_id)),
    },
    columns: ["created_on", "record", "action", "status", "attempt", "http_status", "delivery_id"],
    tones: { status: { delivered: "good", failed: "bad", pending: "busy", cancelled: "off" } },
    example: "deliveries list --hook 1 --status failed",
  },
  "deliveries.get": {
    card: deliveryCard,
    example: "deliveries get 7d4e3c52-9f6a-4b1e-8c2d-5a6b7c8d9e0f --hook 1",
  },
  "deliveries.replay": {
    told: toldReplay,
    example: "deliveries replay --hook 1 --failed-since 2026-11-20",
  },
  "events.list": {
    cells,
    columns: ["created_on", "record", "action", "id"],
    example: "events list --type Customer --since 2026-01-01",
  },
  "events.get": {
    card: { leads: cells, tells: ["record_id", "type"] },
    example: "events get 26c03012-01bc-4929-b5a5-5fb26dc8a306",
  },
  "events.preview": { example: "events preview --type Job --record-id 2 --action completed" },
} satisfies PresentationsOf<"deliveries" | "events" | "hooks">;
