import { isObject, type JsonObject } from "../../models/json.ts";
import type { Card } from "./presentation.ts";
import { tellMoment } from "./tell-time.ts";
import type { View } from "./view.ts";

/** What a card begins with of a delivery: what was sent, where, and what came of it; the body is the same in each attempt. */
export const deliveryCard: Card = {
  leads: {
    what: ({ action, event, record_id }) => `${event} ${record_id} ${action}`,
    status: ({ attempt, status }) => `${status}, ${attempt} ${attempt === 1 ? "attempt" : "attempts"}`,
    to: ({ request }) => toText(request, "url"),
    headers: ({ request }) => toHeaders(request),
    body: ({ request }) => toText(request, "body"),
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

/** `1 · 14:05 · 500 in 12 ms: …` and what the receiver answered. */
export function tellAttempt(attempt: JsonObject, view: View): string {
  const { duration_ms, http_status, message, response } = attempt;
  const took = duration_ms === null ? "" : ` in ${duration_ms} ms`;
  const answer = toText(response, "body");
  const facts = [
    attempt.attempt,
    tellMoment("started_on", attempt, view),
    `${http_status ?? "–"}${took}: ${message ?? ""}`,
    answer === "" ? "" : `answered ${answer}`,
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

function toText(part: unknown, field: string): string {
  return isObject(part) && typeof part[field] === "string" ? part[field] : "";
}

function toHeaders(request: unknown): string {
  const headers = isObject(request) && isObject(request.headers) ? request.headers : {};
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
