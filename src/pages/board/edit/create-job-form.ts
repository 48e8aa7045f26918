import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { DispatchError } from "../../../errors/dispatch-error.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import type { TypedAt } from "../../../local-time/read-time.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import type { BoardActs } from "../act/doing.ts";
import type { JobChanges } from "../act/job-calls.ts";
import { moveJob } from "../act/move-job.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { toFieldRefusals } from "./field-refusals.ts";
import { type JobField, jobFields } from "./job-fields.ts";
import { readTyped, type Typed } from "./read-typed.ts";
import { unreadTag, type WatchedJob, watchJob } from "./watch-job.ts";

/** A job as its window or its card shows it, with what somebody has typed over it. */
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
  /** Reads the job again. */
  look(): Promise<void>;
  /** The same after something was done with it here. */
  refresh(): Promise<void>;
  /**
   * Stores what was typed, if the job is still what is shown, and gives it the truck (null: none) in the same act, so that
   * one undo takes back both. Says whether it did; false too while that is under way.
   */
  save(truckId?: number | null): Promise<boolean>;
  end(): void;
}

/** Opens the form of a job, and keeps an eye on the job: nobody's change is written over unseen (OP-398). */
export function createJobForm(acts: BoardActs, { id, location_id }: BoardJob): JobForm {
  const { state } = acts;
  const params = { job_id: id, location_id };
  const typed = signal<Typed>(new Map());
  const refusals: JobForm["refusals"] = signal(new Map());
  const zone = state.zoneOf(location_id);
  const at = computed(() => ({ now: state.now.value, order: dateOrderOf(zone), zone }));
  const isUnsaved = computed(() => typed.value.size > 0);
  const refuse = (error: unknown) => {
    refusals.value = toFieldRefusals(error, fieldNames);
  };
  const watched = watchJob(acts, params, { isUnsaved, refuse });
  const { base, newer } = watched;
  const shown = computed(() => base.value?.job ?? null);
  return {
    at,
    isUnsaved,
    look: watched.look,
    refresh: watched.refresh,
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
    ...createSaving(acts, params, { at, refusals, refuse, typed, watched }),
    end: watched.end,
  };
}

/** What a form has that is stored. */
interface Stored extends Pick<JobForm, "at" | "refusals" | "typed"> {
  refuse(error: unknown): void;
  watched: WatchedJob;
}

function createSaving(
  acts: BoardActs,
  params: { job_id: number; location_id: number },
  { at, refusals, refuse, typed, watched: { base, look, newer } }: Stored,
): Pick<JobForm, "isSaving" | "save"> {
  const { doing, session, state } = acts;
  const id = params.job_id;
  const isSaving = signal(false);
  const update = async (body: JobChanges, ifMatch: string) => {
    try {
      const { answer, etag } = await session.client.exchange("jobs.update", { body, ifMatch, params });
      // What is refused after it is not typed over somebody else's change.
      base.value = { etag: etag ?? "*", job: answer };
      return answer;
    } catch (error) {
      if (!isConflict(error)) {
        refuse(error);
        throw error;
      }
      await look();
      throw new Error(`Job ${id} has been changed meanwhile. Nothing of yours is saved.`);
    }
  };
  const store: JobForm["save"] = async (truckId) => {
    if (!base.value || base.value.etag === unreadTag) await look();
    const known = base.value;
    // It cannot be read, which is said.
    if (!known || (known.etag === unreadTag && newer.value === null)) return false;
    const { changes, refusals: found } = readTyped(known.job, typed.value, at.value);
    refusals.value = found ?? new Map();
    if (!changes) return false;
    const first = Object.keys(changes).length > 0 ? () => update(changes, known.etag) : undefined;
    if (truckId === undefined || truckId === known.job.truck_id)
      return !first || doing.run(id, `Job ${id} changed`, first);
    const { schedule_date: planned = known.job.schedule_date } = changes;
    const job = toShownJob(state, { ...known.job, schedule_date: planned });
    const date = planned === null ? {} : { date: dayOf(planned, at.value.zone) };
    return moveJob(acts, job, { ...date, truckId }, first);
  };
  return {
    isSaving,
    async save(truckId) {
      if (isSaving.value) return false;
      isSaving.value = true;
      try {
        return await store(truckId);
      } finally {
        isSaving.value = false;
      }
    },
  };
}

const fieldNames = jobFields.map(({ names }) => names);

const isConflict = (error: unknown) => error instanceof DispatchError && error.code === "precondition_failed";
