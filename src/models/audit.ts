import { choice, id, integer, jsonObject, recordFilter, text, timestamp, uuid } from "./fields.ts";
import { defineModel, type FilterValues, list, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";
import { recordTypes } from "./record-types.ts";

/** Entries never have secrets. */
export const AuditEntryModel = defineModel("AuditEntryModel", {
  action: text(1, 64).describe("created, updated, deleted, dispatched and the like"),
  after: nullable(
    jsonObject().describe(
      "the fields that changed, with their new values; in the newest shape, whatever the version",
    ),
  ),
  before: nullable(jsonObject().describe("the former values of these fields; null for a new record")),
  created_on: timestamp("past").describe("when it was changed"),
  id: id().describe("number of the entry; a later entry has a higher one"),
  operation: text(1, 64).describe("the operation, like jobs.create"),
  record_id: id().describe("the changed record"),
  record_type: choice(recordTypes).describe("the kind of the changed record"),
  request_id: uuid().describe("the request that changed it"),
  token_id: nullable(id().describe("the token of the request; null for a local command")),
  trace_id: nullable(text(32, 32).describe("the trace that the request belongs to (W3C Trace Context)")),
  undone_on: nullable(timestamp("past").describe("when it was undone; null while it holds")),
  user_id: id().describe("the user who changed it"),
  username: nullable(text(1, 64)).describe("the username of that user, if it has one"),
});

export const AuditEntryListModel = defineList("AuditEntryListModel", AuditEntryModel);

export const auditFilters = {
  operation: optional(text(1, 64).describe("the operation that changed it; * matches any characters")),
  record: optional(recordFilter(recordTypes).describe("a kind of record, an id, or both")),
  since: optional(timestamp("past").describe("changed on or after")),
  user: optional(text(1, 64).describe("the user who changed it: username or id")),
};

export type AuditFilters = FilterValues<typeof auditFilters>;

/** Without an id, the caller's own last change (of this kind). */
export const lastChangeQuery = {
  record_id: optional(id().describe("the last change of this record; by default the caller's own last one")),
  record_type: optional(
    choice(recordTypes).describe("the record's kind; alone: the caller's own last change of that kind"),
  ),
};

export type LastChangeQuery = FilterValues<typeof lastChangeQuery>;

const UndoneRecordModel = defineModel("UndoneRecordModel", {
  action: text(1, 64).describe("what was undone: created, updated, dispatched and the like"),
  after: jsonObject().describe("the restored fields"),
  audit_id: id().describe("the entry of the undone change"),
  before: jsonObject().describe("the values of these fields before the undo"),
  location_id: nullable(id().describe("the record's location; null when it has none or several")),
  record_id: id().describe("the restored record"),
  record_type: choice(recordTypes).describe("the kind of the restored record"),
});

export const UndoModel = defineModel("UndoModel", {
  audit_id: id().describe("the entry that was named"),
  changed_on: timestamp("past").describe("when the change was made"),
  deliveries_sent: integer(0).describe("deliveries of the change that webhooks already received"),
  operation: text(1, 64).describe("the undone operation, like jobs.dispatch"),
  records: list(UndoneRecordModel).describe("the last change first"),
  remarks: list(text(1, 1024)).describe("what was not undone, one sentence each"),
  user_id: id().describe("the user who made the change"),
  username: nullable(text(1, 64)).describe("the username of that user, if it has one"),
});

export const undoOperation = "audit.undo";
