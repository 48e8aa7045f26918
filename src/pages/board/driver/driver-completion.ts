import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { makeKey } from "../../../client/exchange.ts";
import type { JobRequirementName } from "../../../models/job-requirements.ts";
import type { Session } from "../../session/session.ts";
import type { Outbox } from "../actions/outbox.ts";
import {
  addPart,
  type Completion,
  createTyping,
  findLacked,
  findShownLack,
  type Material,
  notesKey,
  toUnit,
} from "../forms/completion.ts";
import { readProof } from "../forms/proof-parts.ts";
import type { Job } from "../state/read-day.ts";
import { type Stop, toReport } from "./driver-steps.ts";

/** Gives the missing parts and the completion to the outbox, with or without signal. */
export function createDriverCompletion(
  { outbox, session }: { outbox: Outbox; session: Session },
  { whole }: Stop,
  materials: ReadonlySignal<readonly Material[]>,
): Completion {
  const job = signal<Job | null>(whole);
  const refusals: Completion["refusals"] = signal(new Map());
  const { textOf, texts, type } = createTyping(job, refusals);
  const missing = readMissing(session, whole);
  return {
    isBusy: signal(false),
    isRequired: true,
    isUnsaved: computed(() => texts.value.size > 0),
    materials,
    missing,
    problem: signal(""),
    refusals,
    sent: signal(new Map()),
    textOf,
    type,
    unit: toUnit(job, materials, textOf),
    async complete() {
      if (!missing.value) return false;
      const found = readProof(texts.value, missing.value, true);
      refusals.value = found.refusals;
      if (found.refusals.size > 0) return false;
      const params = { job_id: whole.id, location_id: whole.location_id };
      const parts = Array.from(found.additions, ([part, addition]) => {
        const idempotencyKey = makeKey();
        const send = async () => {
          await addPart(session.client, addition, { idempotencyKey, params });
          return null;
        };
        return { changes: {}, jobId: whole.id, label: `Added ${part}`, send };
      });
      const notes = textOf(notesKey);
      const isNoted = notes !== (whole.driver_notes ?? "");
      const changes = { is_completed: true, ...(isNoted && { driver_notes: notes === "" ? null : notes }) };
      outbox.add(...parts, toReport(session, whole, "Completed", changes));
      return true;
    },
  };
}

/** The job does not list its additional items; without signal the page assumes none. */
function readMissing(session: Session, job: Job): ReadonlySignal<readonly JobRequirementName[] | null> {
  const shown = findShownLack(job);
  if (!shown.includes("require_materials")) return signal(shown);
  const missing = signal<readonly JobRequirementName[] | null>(session.isAnswered.value ? null : shown);
  const assume = setTimeout(() => (missing.value ??= shown), patienceMs);
  findLacked(session, job)
    .then((lacked) => (missing.value ??= lacked))
    .catch(() => (missing.value ??= shown))
    .finally(() => clearTimeout(assume));
  return missing;
}

const patienceMs = 3000;
