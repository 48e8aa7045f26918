import { choice, integer, jsonObject, text } from "./fields.ts";
import { defineModel, list, nullable, optional } from "./model.ts";

const BatchOperationModel = defineModel("BatchOperationModel", {
  body: optional(jsonObject().describe("as the body of the request")),
  if_match: optional(text(1, 1024).describe("as the If-Match header of the request")),
  method: choice(["POST", "PUT", "PATCH", "DELETE", "GET"]).describe(
    "HTTP method of the operation; a read (GET) is refused with not_in_batch",
  ),
  path: text(1, 2048).describe("of an operation, like /locations/1/jobs/17; without a query"),
  query: optional(jsonObject().describe("the parameters of the query, each a text, a number or a Boolean")),
});

export const batchOperationsMax = 100;

export const BatchModel = defineModel("BatchModel", {
  operations: list(BatchOperationModel, { max: batchOperationsMax, min: 1 }).describe(
    "run in this order; each one sees the results of the earlier ones",
  ),
});

const BatchHeadersModel = defineModel("BatchHeadersModel", {
  etag: nullable(text(1, 1024).describe("the entity tag of the record after this operation")),
});

const BatchAnswerModel = defineModel("BatchAnswerModel", {
  body: jsonObject().describe("the operation's answer at the version of the request"),
  headers: BatchHeadersModel.describe("the headers that the operation would have sent alone"),
  status: integer(200, 299).describe("HTTP status that the operation would have sent alone"),
});

export const BatchResultModel = defineModel("BatchResultModel", {
  results: list(BatchAnswerModel).describe("one answer for each operation, in the same order"),
});
