import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { hasCode, type JobChanges } from "../../../board/board-actions.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import type { TypedAt } from "../../../local-time/read-time.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import type { ActionParts } from "../actions/actions.ts";
import { moveJob } from "../actions/move-job.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { type JobField, jobFields, readTyped, type Typed, toFieldRefusals } from "./job-fields.ts";
import { unreadTag, type WatchedJob, watchJob } from "./watch-job.ts";

/** A job, and the text typed over it. */
export interface JobForm {
  shown: ReadonlySignal<Job | null>;
  /** The job after another user's change that the form does not show yet. */
  theirs: ReadonlySignal<Job | null>;
  typed: Signal<Typed>;
  isUnsaved: ReadonlySignal<boolean>;
  isSaving: ReadonlySignal<boolean>;
  /** By the name of the field; "" for the whole form. */
  refusals: Signal<ReadonlyMap<string, string>>;
  at: ReadonlySignal<TypedAt>;
  /** The typed text, otherwise the job's value. */
  textOf(field: JobField): string;
  type(field: JobField, text: string): void;
  /** Shows another user's change and keeps the typed text. */
  load(): void;
  look(): Promise<void>;
  /** Reads the job after an action on this page. */
  refresh(): Promise<void>;
  /** Saves and moves the job in one action with one undo. Returns false if nothing was saved. */
  save(truckId?: number | null): Promise<boolean>;
  end(): void;
}

/** Watches its job: a save never overwrites a change that the user has not seen. */
export function createJobForm(parts: ActionParts, { id, location_id }: BoardJob): JobForm {
  const { state } = parts;
  const params = { job_id: id, location_id };
  const typed = signal<Typed>(new Map());
  const refusals: JobForm["refusals"] = signal(new Map());
  const zone = state.zoneOf(location_id);
  const at = computed(() => ({ now: state.now.value, order: dateOrderOf(zone), zone }));
  const isUnsaved = computed(() => typed.value.size > 0);
  const refuse = (error: unknown) => {
    refusals.value = toFieldRefusals(error, fieldNames);
  };
  const watched = watchJob(parts, params, { isUnsaved, refuse });
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
    ...createSaving(parts, params, { at, refusals, refuse, typed, watched }),
    end: watched.end,
  };
}

interface SavedForm extends Pick<JobForm, "at" | "refusals" | "typed"> {
  refuse(error: unknown): void;
  watched: WatchedJob;
}

function createSaving(
  parts: ActionParts,
  params: { job_id: number; location_id: number },
  { at, refusals, refuse, typed, watched: { base, look, newer } }: SavedForm,
): Pick<JobForm, "isSaving" | "save"> {
  const { actions, session, state } = parts;
  const id = params.job_id;
  const isSaving = signal(false);
  const update = async (body: JobChanges, ifMatch: string) => {
    try {
      const { answer, etag } = await session.client.exchange("jobs.update", { body, ifMatch, params });
      // A failed move after this update must not look like another user's change.
      base.value = { etag: etag ?? "*", job: answer };
      return answer;
    } catch (error) {
      if (!hasCode(error, "precondition_failed")) {
        refuse(error);
        throw error;
      }
      await look();
      throw new Error(`Job ${id} has changed. Your changes are not saved.`);
    }
  };
  const store: JobForm["save"] = async (truckId) => {
    if (!base.value || base.value.etag === unreadTag) await look();
    const known = base.value;
    // The job cannot be read; `refusals` reports why.
    if (!known || (known.etag === unreadTag && newer.value === null)) return false;
    const { changes, refusals: found } = readTyped(known.job, typed.value, at.value);
    refusals.value = found ?? new Map();
    if (!changes) return false;
    const first = Object.keys(changes).length > 0 ? () => update(changes, known.etag) : undefined;
    if (truckId === undefined || truckId === known.job.truck_id)
      return !first || actions.run(id, `Job ${id} changed`, first);
    const { schedule_date: planned = known.job.schedule_date } = changes;
    const job = toShownJob(state, { ...known.job, schedule_date: planned });
    const date = planned === null ? {} : { date: dayOf(planned, at.value.zone) };
    return moveJob(parts, job, { ...date, truckId }, first);
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

export interface CardForms {
  /** By job. A form outlives its card, which moves with the job to another truck. */
  open: ReadonlySignal<ReadonlyMap<number, JobForm>>;
  begin(job: BoardJob): void;
  /** Does not close a later form of the same job. Unsaved text is lost. */
  close(form: JobForm): void;
}

export function createCardForms(parts: ActionParts): CardForms {
  const open = signal<ReadonlyMap<number, JobForm>>(new Map());
  // An action on this page, such as a drag, is not another user's change.
  parts.actions.outcome.subscribe(({ isRefused, jobId }) => {
    const form = !isRefused && jobId ? open.peek().get(jobId) : undefined;
    // A form that is saving closes next.
    if (form && !form.isSaving.peek()) void form.refresh();
  });
  return {
    open,
    begin(job) {
      if (!open.value.has(job.id)) open.value = new Map([...open.value, [job.id, createJobForm(parts, job)]]);
    },
    close(form) {
      form.end();
      open.value = new Map([...open.value].filter(([, one]) => one !== form));
    },
  };
}
