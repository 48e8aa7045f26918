import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardJob } from "../../../board/board.ts";
import { useBoard } from "../board-context.ts";
import { type JobField, jobFields } from "../forms/job-fields.ts";
import type { JobForm } from "../forms/job-form.ts";
import { focusRefused } from "./dialog.tsx";
import { type Choice, FieldInput } from "./field-input.tsx";
import { Conflict } from "./job-history.tsx";

export function CardForm({ form, job }: { form: JobForm; job: BoardJob }): JSX.Element {
  const { cardForms } = useBoard();
  const drawn = useRef<HTMLFormElement>(null);
  // Before the next key arrives. `keepFocus` restores the focus when the board draws the form again.
  useLayoutEffect(() => {
    const { current } = drawn;
    if (!current?.closest(".card")?.contains(document.activeElement)) return;
    const first = current.querySelector<HTMLInputElement>("input[data-first]");
    first?.focus();
    first?.select();
  }, []);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (await form.save(toChosenTruck(form))) cardForms.close(form);
    else focusRefused(currentTarget);
  };
  return (
    <form
      ref={drawn}
      class="card-form"
      noValidate
      onDblClick={(event) => event.stopPropagation()}
      onKeyDown={({ key }) => key === "Escape" && cardForms.close(form)}
      onSubmit={(event) => void submit(event)}
    >
      <Fields form={form} job={job} />
      <Conflict form={form} />
      <p role="alert">{form.refusals.value.get("") ?? ""}</p>
      <p class="buttons">
        <button type="submit" disabled={form.isSaving.value}>
          Save
        </button>
        <button type="button" onClick={() => cardForms.close(form)}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function Fields({ form, job }: { form: JobForm; job: BoardJob }): JSX.Element {
  const { state } = useBoard();
  const { typed } = form;
  const fleet = state.fleetOf(job.location_id);
  const trucks = (fleet?.trucks ?? []).map(
    ({ id, name, out_of_service }): Choice => [String(id), out_of_service ? `${name}, out of service` : name],
  );
  return (
    <>
      {timeFields.map((field, row) => (
        <FieldInput
          key={field.names[0]}
          field={field}
          isFirst={row === 0}
          value={form.textOf(field)}
          refusal={form.refusals.value.get(field.names[0])}
          theirs={toTheirs(form, field)}
          onType={(text) => form.type(field, text)}
        />
      ))}
      <FieldInput
        field={{ as: "choice", label: "Truck" }}
        value={typed.value.get(truckName) ?? String(job.truck_id ?? "")}
        choices={[["", "none"], ...trucks]}
        onType={(text) => {
          typed.value = new Map([...typed.value, [truckName, text]]);
        }}
      />
    </>
  );
}

/** undefined if the other user's value equals the shown one. */
function toTheirs({ at, shown, theirs }: JobForm, field: JobField): string | undefined {
  const text = theirs.value ? field.show(theirs.value, at.value) : undefined;
  return shown.value && field.show(shown.value, at.value) === text ? undefined : text;
}

/** null for no truck; undefined if the user chose nothing. */
function toChosenTruck({ typed }: JobForm): number | null | undefined {
  const truck = typed.value.get(truckName);
  return truck === undefined ? undefined : Number(truck) || null;
}

const timeFields = jobFields.slice(0, 2);
/** `jobs.dispatch` sets the truck, not `jobs.update`. */
const truckName = "truck_id";
