import { describeJobLife, type JobAction, jobLife } from "../../models/job-life.ts";
import { type JobVerb, type JobVerbName, jobVerbs } from "../../models/job-verbs.ts";
import { describeJobRights } from "../../operations/jobs/job-rights.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { auditCells, auditLearns } from "./audit-cells.ts";
import { jobCard, jobCells, jobColumns, jobStateFilters, jobTones } from "./job-cells.ts";
import {
  toldAs,
  toldChanged,
  toldCompleted,
  toldCreated,
  toldDispatched,
  toldFailed,
  toldImage,
  toldItem,
  toldMaterial,
} from "./job-told.ts";
import type { PresentationsOf, VerbPresentation } from "./presentation.ts";

const { openQuery } = kindOf("jobs");

const actions = (Object.keys(jobLife) as JobAction[]).filter((action) => action !== "reschedule");

const usualFields = [
  ...[
    "schedule_date",
    "asset_type_id",
    "asset_quantity",
    "asset_id",
    "desired_start_time",
    "desired_end_time",
  ],
  ...["truck_id", "dispatch_priority", "priority", "dispatcher_notes", "driver_notes", "reference_number"],
  ...["do_confirm", "require_signature", "require_image"],
];

const proofNote = `A driver can complete a job only after adding what its require_… fields ask for.
Completing a job with a pickup_date creates its pickup job, once.`;

export const presentations = {
  "jobs.list": {
    beginsOpen: jobStateFilters,
    cells: jobCells,
    columns: jobColumns,
    tones: jobTones,
    spans: true,
    common: [
      ...["open", "from", "to", "customer-id", "truck-id", "driver-id", "location", "completed", "failed"],
      ...["all-states", "is-dispatched", "order", "all", "watch", "active", "inactive"],
    ],
    example: "jobs list --truck-id 3 --completed false --active",
    // --deleted true means active records, which is easily misread.
    shorthands: {
      open: { summary: "only open jobs: not completed, failed, or deleted", query: openQuery },
      active: { summary: "only active records (--deleted true)", query: { deleted: "true" } },
      inactive: { summary: "only deleted records (--deleted false)", query: { deleted: "false" } },
    },
  },
  "jobs.create": {
    card: jobCard,
    cells: jobCells,
    told: toldCreated,
    alsoAsks: ["schedule_date"],
    common: ["new-customer", "phone", ...usualFields],
    example:
      'jobs create --customer "potomac schools trust" --address 3 --type drop-off --schedule-date "tomorrow 8:00"',
  },
  "jobs.get": { card: jobCard, cells: jobCells, example: "jobs get 2 --location 1" },
  "jobs.update": {
    card: jobCard,
    cells: jobCells,
    told: toldChanged,
    common: usualFields,
    example: 'jobs update 1 --location 1 --dispatcher-notes "Call first"',
    notes: [describeJobLife(actions), describeJobRights(), proofNote].join("\n\n"),
    verbs: [
      {
        ...toVerb("complete"),
        told: toldCompleted,
        summary: "Complete a job (is_completed true)",
        example: "jobs complete 2 --location 1 --yes",
      },
      {
        ...toVerb("fail"),
        told: toldFailed,
        summary: "Mark a job as failed (is_failed true)",
        example: 'jobs fail 2 --location 1 --fail-reason "Gate locked"',
      },
      {
        ...toVerb("acknowledge"),
        told: toldAs("acknowledged"),
        summary: "Acknowledge a job (is_acknowledged true)",
        example: "jobs acknowledge 2 --location 1",
      },
      {
        ...toVerb("decline"),
        told: toldAs("declined"),
        summary: "Decline a job (is_declined true)",
        example: "jobs decline 2 --location 1",
      },
      {
        ...toVerb("delete"),
        told: toldAs("deleted"),
        summary: "Delete a job (is_deleted true)",
        example: "jobs delete 1 --location 1 --yes",
      },
      {
        ...toVerb("delete"),
        verb: "cancel",
        keeps: ["dispatcher_notes"],
        told: toldAs("canceled; `jobs restore` makes it valid again"),
        summary: "Cancel a job (is_deleted true until `jobs restore`)",
        example: 'jobs cancel 1 --location 1 --dispatcher-notes "Customer called" --yes',
      },
      {
        ...toVerb("restore"),
        told: toldAs("restored"),
        summary: "Restore a deleted job (is_deleted false)",
        example: "jobs restore 1 --location 1",
      },
    ],
  },
  "jobs.dispatch": {
    card: jobCard,
    cells: jobCells,
    told: toldDispatched,
    example: "jobs dispatch 1 --location 1 --truck-id 3",
    notes: `${describeJobLife(["dispatch", "reschedule", "return"])}\nA truck that is out of service cannot get jobs.`,
    verbs: [
      {
        verb: "assign",
        told: toldDispatched,
        summary: "Put a job on a truck",
        body: {},
        keeps: ["truck_id", "new_schedule_date"],
        requires: ["truck_id"],
        example: "jobs assign 1 --location 1 --truck-id 3",
      },
      {
        ...toVerb("unassign"),
        told: toldDispatched,
        summary: "Take a job off its truck (truck_id null)",
        example: "jobs unassign 2 --location 1",
      },
    ],
  },
  "jobs.move": {
    example: "jobs move 2 --location 1 --first",
    notes: `A truck does its open jobs of a day by date and time, then by priority. The command
changes the priority of this job, or of all jobs of its date if there is no gap.`,
  },
  "jobs.add-item": {
    told: toldItem,
    cures: () => "adds it first",
    example: "jobs add-item 1 --location 1 --description Tires --heavy-weight 120 --deduct-weight 0",
  },
  "jobs.add-image": {
    told: toldImage,
    cures: () => "adds it first",
    example: "jobs add-image 1 --location 1 --image-url https://example.com/gate.jpg",
    notes:
      'An image whose description begins with "signature" counts as the signature that\nrequire_signature asks for.',
  },
  "jobs.add-material": {
    told: toldMaterial,
    cures: () => "adds it first",
    example:
      "jobs add-material 1 --location 1 --material-name Concrete --heavy-weight 9200 --light-weight 4100",
  },
  "jobs.timeline": {
    columns: ["created_on", "username", "action", "changes"],
    cells: auditCells,
    learns: auditLearns,
    example: "jobs timeline 2 --location 1",
  },
} satisfies PresentationsOf<"jobs">;

function toVerb(verb: JobVerbName): Pick<VerbPresentation, "body" | "isSevere" | "keeps" | "verb"> {
  const { body, isSevere, takes }: JobVerb = jobVerbs[verb];
  return { body, keeps: takes, verb, ...(isSevere && { isSevere }) };
}
