import type { Operation } from "../core/operation.ts";
import { EventModel } from "../models/event.ts";
import type { Ref } from "./headers.ts";
import type { OperationEntry } from "./operation-entry.ts";
import type { Parameter } from "./parameters.ts";

/** What the stream of events refuses as an operation would: a read like the list of events, which goes on. */
export function toStreamOperation(operations: readonly Operation[]): Operation | undefined {
  const list = operations.find(({ name }) => name === "events.list");
  return (
    list && {
      ...list,
      description,
      allow: "anyRole",
      name: "events.stream",
      output: EventModel,
      query: {},
      refuses: [],
      route: "GET /stream",
      summary,
    }
  );
}

const summary = "Follow what happens to records, as server-sent events";

const description =
  "The stream begins with what happens from now on, or behind the event that `Last-Event-ID` names. `event` is the kind, `id` the event's id, `data` what a webhook gets: unlike other answers, at the newest version unless `x-api-version` or the token names one. Each caller is sent the events of those records that it may get: the tenant's to who sees all of it; else the record as its GET shows it to the caller. When the named event is not in the log any more, an event `Missed` with `last_event_id` comes first. After 15 s in which nothing else was sent there is a comment. The stream ends when the caller may not read on, when nothing is taken of it for 15 s, and when the server closes, with `retry`. A token may have 50 open, a tenant 1,000 (429) and a process 4,000 (503).";

const lastEventId: Parameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The id of an event of the stream, which goes on behind it.",
  schema: { type: "string", format: "uuid" },
};

/** The entry of the stream, made of what the document says of an operation that refuses the same. */
export function toStreamEntry(entry: OperationEntry): OperationEntry {
  const { "200": answer, "304": _unchanged, ...refusals } = entry.responses;
  const {
    "Content-Encoding": _coding,
    ETag: _tag,
    Link: _link,
    ...headers
  } = answer && "headers" in answer ? answer.headers : {};
  return {
    ...entry,
    parameters: [...entry.parameters.filter((known) => !isIfNoneMatch(known)), lastEventId],
    responses: {
      "200": {
        description: "The events, as they happen.",
        headers,
        content: { "text/event-stream": { schema: { type: "string" }, example } },
      },
      ...refusals,
    },
  };
}

const isIfNoneMatch = (known: Parameter | Ref) => "$ref" in known && known.$ref.endsWith("/If-None-Match");

const example = `retry: 1000
id: 7c1e4a52-9f6a-4b1e-8c2d-5a6b7c8d9e0f

event: Job
id: 0b9a4a52-9f6a-4b1e-8c2d-5a6b7c8d9e0f
data: {"action":"dispatched","api_version":"2023/04/19","data":{"id":17},"id":"0b9a4a52-9f6a-4b1e-8c2d-5a6b7c8d9e0f","tenant_id":1,"timestamp":"2026-11-21T12:00:00.000000Z","type":"Job"}

`;
