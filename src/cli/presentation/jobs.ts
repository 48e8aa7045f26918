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
  toldDispatched,
  toldFailed,
  toldImage,
  toldItem,
  toldMade,
  toldMaterial,
} from "./job-told.ts";
import type { PresentationsOf, VerbPresentation } from "./presentation.ts";

const { openQuery } = kindOf("jobs");

const actions = (Object.keys(jobLife) as JobAction[]).filter((action) => action !== "reschedule");

const proofNote = `A driver completes a job only when what its require_… fields ask for is there.
Completing a job with a pickup_date makes its pickup job, once.`;

/** What the terminal adds to the operations of jobs. */
export const jobs = {
  "jobs.list": {
    beginsOpen: jobStateFilters,
    cells: jobCells,
    columns: jobColumns,
    tones: jobTones,
    spans: true,
    example: "jobs list --truck-id 3 --completed false --active",
    // Cannot be misread, as --deleted can (OP-48).
    shorthands: {
      open: { summary: "only what is still to be done: not completed, failed or deleted", query: openQuery },
      active: { summary: "only active records (--deleted true)", query: { deleted: "true" } },
      inactive: { summary: "only deleted records (--deleted false)", query: { deleted: "false" } },
    },
  },
  "jobs.create": {
    card: jobCard,
    cells: jobCells,
    told: toldMade,
    alsoAsks: ["schedule_date"],
    example: "jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date 2026-12-01",
  },
  "jobs.get": { card: jobCard, cells: jobCells, example: "jobs get 2 --location 1" },
  "jobs.update": {
    card: jobCard,
    cells: jobCells,
    told: toldChanged,
    example: 'jobs update 1 --location 1 --dispatcher-notes "Call first"',
    notes: [describeJobLife(actions), describeJobRights(), proofNote].join("\n\n"),
    verbs: [
      {
        ...toVerb("complete"),
        told: toldCompleted,
        summary: "Complete a job (is_completed true)",
        example: "jobs complete 2 --location 1",
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
    notes: `${describeJobLife(["dispatch", "reschedule", "return"])}\nA truck that is out of service gets no jobs.`,
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
    notes: `The jobs that the truck still has to do on that day are ordered by date and time,
then by priority: the command sets priorities, of this job alone where they leave
room, else of all jobs of its date.`,
  },
  "jobs.add-item": {
    told: toldItem,
    cures: () => "adds what is missing first",
    example: "jobs add-item 1 --location 1 --description Tyres --heavy-weight 120 --deduct-weight 0",
  },
  "jobs.add-image": {
    told: toldImage,
    cures: () => "adds what is missing first",
    example: "jobs add-image 1 --location 1 --image-url https://example.com/gate.jpg",
    notes:
      'An image whose description begins with "signature" is the signature that a job\nwith require_signature asks for.',
  },
  "jobs.add-material": {
    told: toldMaterial,
    cures: () => "adds what is missing first",
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

/** The command of a verb, as far as others than the terminal know it too. */
function toVerb(verb: JobVerbName): Pick<VerbPresentation, "body" | "isSevere" | "keeps" | "verb"> {
  const { body, isSevere, takes }: JobVerb = jobVerbs[verb];
  return { body, keeps: takes, verb, ...(isSevere && { isSevere }) };
}
