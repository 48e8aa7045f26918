import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../../board/board.ts";
import { DispatchError } from "../../../../library/dispatch-error.ts";
import { dateOrderOf } from "../../../../local-time/date-order.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import type { BoardParts } from "../../board-context.ts";
import type { Job } from "../../state/read-day.ts";
import { toFieldRefusals } from "../field-refusals.ts";
import { type JobField, jobFields } from "./job-fields.ts";
import { readTyped, type Typed } from "./read-typed.ts";
import { watchJob } from "./watch-job.ts";

/** A job as its window shows it, with what somebody has typed over it. */
export interface JobForm {
  /** The job that is shown; null until something is known of it. */
  shown: ReadonlySignal<Job | null>;
  /** The same as somebody else has made it since; null while it is what is shown. */
  theirs: ReadonlySignal<Job | null>;
  typed: Signal<Typed>;
  isUnsaved: ReadonlySignal<boolean>;
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
  /** Stores what was typed, if the job is still what is shown. Says whether it did. */
  save(): Promise<boolean>;
  end(): void;
}

/** Opens the form of a job, and keeps an eye on the job: nobody's change is written over unseen (OP-398). */
export function createJobForm(
  parts: BoardParts,
  { id, location_id }: BoardJob,
  typed: Signal<Typed> = signal(new Map()),
): JobForm {
  const { doing, session, state } = parts;
  const params = { job_id: id, location_id };
  const refusals = signal<ReadonlyMap<string, string>>(new Map());
  const zone = state.zoneOf(location_id);
  const at = computed(() => ({ now: state.now.value, order: dateOrderOf(zone), zone }));
  const isUnsaved = computed(() => typed.value.size > 0);
  const refuse = (error: unknown) => {
    refusals.value = toFieldRefusals(error, fieldNames);
  };
  const { base, end, look, newer, refresh } = watchJob(parts, params, { isUnsaved, refuse });
  const shown = computed(() => base.value?.job ?? state.jobs.value.get(id) ?? null);
  return {
    at,
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
    async save() {
      if (!base.value) await look();
      const known = base.value;
      if (!known) return false;
      const { changes, refusals: found } = readTyped(known.job, typed.value, at.value);
      refusals.value = found ?? new Map();
      if (!changes) return false;
      if (Object.keys(changes).length === 0) return true;
      return doing.run(id, `Job ${id} changed`, () =>
        session.client
          .call("jobs.update", { body: changes, ifMatch: known.etag, params })
          .catch(async (error: unknown) => {
            if (!isConflict(error)) {
              refuse(error);
              throw error;
            }
            await look();
            throw new Error(`Job ${id} has been changed meanwhile. Nothing of yours is saved.`);
          }),
      );
    },
    end,
  };
}

const fieldNames = jobFields.map(({ names }) => names);

const isConflict = (error: unknown) => error instanceof DispatchError && error.code === "precondition_failed";
