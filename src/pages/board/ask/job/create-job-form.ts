import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../../board/board.ts";
import { DispatchError } from "../../../../library/dispatch-error.ts";
import { dateOrderOf } from "../../../../local-time/date-order.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import { dayOf } from "../../../../local-time/whole-day.ts";
import type { JobChanges } from "../../act/job-calls.ts";
import type { BoardParts } from "../../board-context.ts";
import { moveJob } from "../../move/move-job.ts";
import type { Job } from "../../state/read-day.ts";
import { toShownJob } from "../../state/show-job.ts";
import { toFieldRefusals } from "../field-refusals.ts";
import { type JobField, jobFields } from "./job-fields.ts";
import { readTyped, type Typed } from "./read-typed.ts";
import { unreadTag, watchJob } from "./watch-job.ts";

/** A job as its window shows it, with what somebody has typed over it. */
export interface JobForm {
  /** The job that is shown; null until something is known of it. */
  shown: ReadonlySignal<Job | null>;
  /** The same as somebody else has made it since; null while it is what is shown. */
  theirs: ReadonlySignal<Job | null>;
  typed: Signal<Typed>;
  isUnsaved: ReadonlySignal<boolean>;
  isSaving: ReadonlySignal<boolean>;
  /** What is wrong with a field, by its name; "" has what is wrong with none of them. */
  refusals: Signal<ReadonlyMap<string, string>>;
  at: ReadonlySignal<TypedAt>;
  /** The text of a field: what was typed, else what the job has. */
  textOf(field: JobField): string;
  type(field: JobField, text: string): void;
  /** Shows what somebody else has made of the job; what was typed stays. */
  load(): void;
  /** Reads the job again after something was done with it here. */
  refresh(): Promise<void>;
  /**
   * Stores what was typed, if the job is still what is shown, and gives it the truck (null: none) in the same act, so that
   * one undo takes back both. Says whether it did.
   */
  save(truckId?: number | null): Promise<boolean>;
  end(): void;
}

/** Opens the form of a job, and keeps an eye on the job: nobody's change is written over unseen (OP-398). */
export function createJobForm(parts: BoardParts, { id, location_id }: BoardJob): JobForm {
  const { doing, session, state } = parts;
  const params = { job_id: id, location_id };
  const typed = signal<Typed>(new Map());
  const refusals = signal<ReadonlyMap<string, string>>(new Map());
  const isSaving = signal(false);
  const zone = state.zoneOf(location_id);
  const at = computed(() => ({ now: state.now.value, order: dateOrderOf(zone), zone }));
  const isUnsaved = computed(() => typed.value.size > 0);
  const refuse = (error: unknown) => {
    refusals.value = toFieldRefusals(error, fieldNames);
  };
  const { base, end, look, newer, refresh } = watchJob(parts, params, { isUnsaved, refuse });
  const updateJob = async (body: JobChanges, ifMatch: string) => {
    const { answer, etag } = await session.client.exchange("jobs.update", { body, ifMatch, params });
    // What is refused after it is not typed over somebody else's change.
    base.value = { etag: etag ?? "*", job: answer };
    return answer;
  };
  const shown = computed(() => base.value?.job ?? null);
  const store: JobForm["save"] = async (truckId) => {
    if (!base.value || base.value.etag === unreadTag) await look();
    const known = base.value;
    if (!known) return false;
    const { changes, refusals: found } = readTyped(known.job, typed.value, at.value);
    refusals.value = found ?? new Map();
    if (!changes) return false;
    const isChanged = Object.keys(changes).length > 0;
    const update = () =>
      updateJob(changes, known.etag).catch(async (error: unknown) => {
        if (!isConflict(error)) {
          refuse(error);
          throw error;
        }
        await look();
        throw new Error(`Job ${id} has been changed meanwhile. Nothing of yours is saved.`);
      });
    if (truckId === undefined || truckId === known.job.truck_id)
      return !isChanged || doing.run(id, `Job ${id} changed`, update);
    const { schedule_date: planned = known.job.schedule_date } = changes;
    const job = toShownJob(state, { ...known.job, schedule_date: planned });
    const date = planned === null ? {} : { date: dayOf(planned, zone) };
    return moveJob(parts, job, { ...date, truckId }, isChanged ? update : undefined);
  };
  return {
    at,
    isSaving,
    isUnsaved,
    refresh,
    refusals,
    shown,
    theirs: computed(() => newer.value?.job ?? null),
    typed,
    textOf: (field) =>
      typed.value.get(field.names[0]) ?? (shown.value ? field.show(shown.value, at.value) : ""),
    type(field, text) {
      const [name] = field.names;
      const next = new Map(typed.value);
      if (shown.value && field.show(shown.value, at.value) === text) next.delete(name);
      else next.set(name, text);
      typed.value = next;
      refusals.value = new Map([...refusals.value].filter(([refused]) => refused !== name && refused !== ""));
    },
    load() {
      if (newer.value) base.value = newer.value;
      newer.value = null;
      refusals.value = new Map();
    },
    async save(truckId) {
      isSaving.value = true;
      try {
        return await store(truckId);
      } finally {
        isSaving.value = false;
      }
    },
    end,
  };
}

const fieldNames = jobFields.map(({ names }) => names);

const isConflict = (error: unknown) => error instanceof DispatchError && error.code === "precondition_failed";
