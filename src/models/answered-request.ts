import { choice, id, integer, number, text, timestamp, uuid } from "./fields.ts";
import { defineModel, type FilterValues, list, nullable, optional } from "./model.ts";

/** A request that a server answered. It names neither the body nor the query. */
const AnsweredRequestModel = defineModel("AnsweredRequestModel", {
  answered_on: timestamp("past").describe("by the clock of the server's machine"),
  duration_ms: number(0).describe("from the head of the request to the end of the answer, in milliseconds"),
  method: text(1, 64),
  operation: text(1, 128),
  path: text(1, 1024).describe("one that is longer ends with ... here"),
  request_id: uuid().describe("as x-request-id told it to the client"),
  status: integer(-1, 599).describe("-1 when no answer was sent to its end"),
  token_id: nullable(id()),
  token_name: nullable(text(0, 256)),
  version: text(1, 64).describe("the API version"),
});

export const AnsweredRequestListModel = defineModel("AnsweredRequestListModel", {
  cursor: text(1, 4096).describe("stands behind the last of them: what comes next is read with it"),
  missed: integer(0).describe("requests after the cursor that was given which are not known any more"),
  results: list(AnsweredRequestModel),
});

/** The filters of requests.tail. */
export const answeredRequestFilters = {
  after: optional(text(1, 4096).describe("only requests after the cursor of an earlier answer")),
  method: optional(choice(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])),
  path: optional(text(1, 1024).describe("only paths that contain this text")),
  status: optional(text(1, 16).describe("a status, or 2xx, 4xx and 5xx")),
  token_id: optional(id().describe("only requests with this token")),
};

export type AnsweredRequestFilters = FilterValues<typeof answeredRequestFilters>;
