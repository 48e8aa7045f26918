import { choice, id, integer, jsonObject, text, timestamp } from "./fields.ts";
import { defineModel, list, nullable } from "./model.ts";
import { recordTypes } from "./record-types.ts";

/** What taking a change back does to one record. */
export const UndoneRecordModel = defineModel("UndoneRecordModel", {
  action: text(1, 64).describe("what was taken back: created, updated, dispatched and the like"),
  after: jsonObject().describe("the fields that change, as they are again"),
  audit_id: id().describe("the entry of the change that was taken back"),
  before: jsonObject().describe("the same fields, as the change had left them"),
  location_id: nullable(id().describe("where the record is; null where that is no one location")),
  record_id: id(),
  record_type: choice(recordTypes),
});

/** What became of a request whose changes were taken back. */
export const UndoModel = defineModel("UndoModel", {
  audit_id: id().describe("the entry that was named"),
  changed_on: timestamp("past").describe("when the change was made"),
  deliveries_sent: integer(0).describe("deliveries of the change that were sent to webhooks, and stay sent"),
  operation: text(1, 64).describe("what had changed it, like jobs.dispatch"),
  records: list(UndoneRecordModel).describe("the last change first"),
  remarks: list(text(1, 1024)).describe("what stays as it is, a sentence each"),
  user_id: id().describe("who had changed it"),
  username: nullable(text(1, 64)),
});
