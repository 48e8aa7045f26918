import { choice, id, integer, jsonObject, recordFilter, text, timestamp, uuid } from "./fields.ts";
import { defineModel, type FilterValues, list, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";
import { recordTypes } from "./record-types.ts";

/** Who changed what: one entry a change of a record. Secrets are never part of it. */
export const AuditEntryModel = defineModel("AuditEntryModel", {
  action: text(1, 64).describe("created, updated, deleted, dispatched and the like"),
  after: nullable(
    jsonObject().describe(
      "the fields that changed, with their new values; in the newest shape, whatever the version",
    ),
  ),
  before: nullable(jsonObject().describe("the same fields as they were; null of a new record")),
  created_on: timestamp("past").describe("when it was changed"),
  id: id(),
  operation: text(1, 64).describe("what changed it, like jobs.create"),
  record_id: id(),
  record_type: choice(recordTypes),
  request_id: uuid().describe("the request that changed it"),
  token_id: nullable(id().describe("the token of the request; null of a local command")),
  trace_id: nullable(text(32, 32).describe("the trace that the request belongs to (W3C Trace Context)")),
  undone_on: nullable(timestamp("past").describe("when it was taken back; null of what holds")),
  user_id: id().describe("who changed it"),
  username: nullable(text(1, 64)),
});

export const AuditEntryListModel = defineList("AuditEntryListModel", AuditEntryModel);

/** The filters of audit.list. */
export const auditFilters = {
  operation: optional(text(1, 64).describe("the operation that changed it; * stands for any characters")),
  record: optional(recordFilter(recordTypes).describe("a kind of record, an id, or both")),
  since: optional(timestamp("past").describe("changed on or after")),
  user: optional(text(1, 64).describe("who changed it: a username or a user's id")),
};

export type AuditFilters = FilterValues<typeof auditFilters>;

/** The record whose last change the caller asks for; a kind alone or nothing: the caller's own last change. */
export const lastChangeQuery = {
  record_id: optional(id().describe("the last change of this record; by default the caller's own last one")),
  record_type: optional(
    choice(recordTypes).describe("the record's kind; alone: the caller's own last change of that kind"),
  ),
};

export type LastChangeQuery = FilterValues<typeof lastChangeQuery>;

/** What taking a change back does to one record. */
const UndoneRecordModel = defineModel("UndoneRecordModel", {
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

/** The operation whose entries say that others were taken back. */
export const undoOperation = "audit.undo";
