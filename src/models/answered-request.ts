import * as z from "zod";
import { AuditEntryModel } from "./audit.ts";
import { EventModel } from "./event.ts";
import { boolean, choice, id, integer, number, text, timestamp, uuid } from "./fields.ts";
import { defineModel, type FilterValues, list, nullable, optional } from "./model.ts";

const answeredRequestFields = {
  answered_on: timestamp("past").describe("by the clock of the server's machine"),
  code: nullable(text(1, 64).describe("code of the error, if it failed")),
  duration_ms: number(0).describe("from the head of the request to the end of the answer, in milliseconds"),
  method: text(1, 64).describe("HTTP method, as sent"),
  operation: text(1, 128).describe("the called operation, like jobs.create, or the name of the page"),
  path: text(1, 1024).describe("a longer path is cut and ends with ..."),
  request_id: uuid().describe("as in the answer's x-request-id"),
  status: integer(-1, 599).describe("-1 when the answer was not sent completely"),
  tenant_id: id().describe("the tenant of the request"),
  token_id: nullable(id()).describe("the token of the request; null without a valid one"),
  token_name: nullable(text(0, 256)).describe("the purpose of the token, as its owner named it"),
  user_id: nullable(id().describe("the caller")),
  version: text(1, 64).describe("the API version"),
};

const recordedQuery = nullable(text(0, 16 * 1024).describe("*** replaces secrets; null if not recorded"));

const AnsweredRequestModel = defineModel("AnsweredRequestModel", {
  ...answeredRequestFields,
  is_recorded: boolean().describe("requests.get shows its contents"),
  query: recordedQuery,
});

const bodyOmissions = ["too_long", "not_json", "not_read"] as const;
export type BodyOmission = (typeof bodyOmissions)[number];

const RecordedMessageModel = defineModel("RecordedMessageModel", {
  body: nullable(text(0, 1024 * 1024).describe("*** replaces secrets; null if it is absent or omitted")),
  body_bytes: integer(0).describe("size as sent; for a request, uncompressed"),
  body_omitted: nullable(
    choice(bodyOmissions).describe(
      "too_long: above 64 KiB; not_json: secrets cannot be located; not_read: refused before the server read it",
    ),
  ),
  // The names of headers are not known in advance.
  headers: z
    .record(z.string(), z.string())
    .describe("headers by their names in lower case; *** replaces secrets"),
});

export const changesShownMax = 100;

export const RecordedRequestModel = defineModel("RecordedRequestModel", {
  ...answeredRequestFields,
  answer: nullable(RecordedMessageModel).describe("the answer as sent"),
  audit: list(AuditEntryModel).describe(`its changes, the first ${changesShownMax} at most`),
  events: list(EventModel).describe(`its events, the first ${changesShownMax} at most`),
  query: recordedQuery,
  request: nullable(RecordedMessageModel).describe("the request as received"),
  started_on: nullable(
    timestamp("past").describe(
      "by the clock of the server's machine; null, like query, request and answer, when it is no longer kept",
    ),
  ),
});

export const AnsweredRequestListModel = defineModel("AnsweredRequestListModel", {
  cursor: text(1, 4096).describe("position after the last of them, to read the next ones"),
  missed: integer(0).describe("requests after the given cursor that the server no longer has"),
  results: list(AnsweredRequestModel).describe("the requests, in the order of their answers"),
});

export const answeredRequestFilters = {
  after: optional(text(1, 4096).describe("only requests after the cursor of an earlier answer")),
  method: optional(choice(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])),
  path: optional(text(1, 1024).describe("only paths that contain this text")),
  status: optional(text(1, 16).describe("a status, or 2xx, 4xx and 5xx")),
  text: optional(
    text(1, 256).describe("only requests that contain it in the path or the recorded query and bodies"),
  ),
  token_id: optional(id().describe("only requests with this token")),
};

export type AnsweredRequestFilters = FilterValues<typeof answeredRequestFilters>;
