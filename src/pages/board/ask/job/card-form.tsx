import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardJob } from "../../../../board/board.ts";
import { useBoard } from "../../board-context.ts";
import type { JobForm } from "../../edit/create-job-form.ts";
import { type JobField, jobFields } from "../../edit/job-fields.ts";
import { focusRefused } from "../focus-refused.ts";
import { Conflict } from "./conflict.tsx";
import { type Choice, FieldInput } from "./field-input.tsx";

/** When a job is done and by which truck, to be changed on its card. Escape leaves it as it was. */
export function CardForm({ form, job }: { form: JobForm; job: BoardJob }): JSX.Element {
  const parts = useBoard();
  const drawn = useRef<HTMLFormElement>(null);
  // At once, so that the next key is typed there; a form that is drawn anew has the keys kept by `keepFocus`.
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
    if (await form.save(toChosenTruck(form))) parts.editing.leave(form);
    else focusRefused(currentTarget);
  };
  return (
    <form
      ref={drawn}
      class="card-form"
      noValidate
      onDblClick={(event) => event.stopPropagation()}
      onKeyDown={({ key }) => key === "Escape" && parts.editing.leave(form)}
      onSubmit={(event) => void submit(event)}
    >
      <Fields form={form} job={job} />
      <Conflict form={form} />
      <p role="alert">{form.refusals.value.get("") ?? ""}</p>
      <p class="buttons">
        <button type="submit" disabled={form.isSaving.value}>
          Save
        </button>
        <button type="button" onClick={() => parts.editing.leave(form)}>
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

/** What somebody else has made of a field; undefined where that is what is shown. */
function toTheirs({ at, shown, theirs }: JobForm, field: JobField): string | undefined {
  const text = theirs.value ? field.show(theirs.value, at.value) : undefined;
  return shown.value && field.show(shown.value, at.value) === text ? undefined : text;
}

/** The truck that was chosen, null for none; undefined where none was. */
function toChosenTruck({ typed }: JobForm): number | null | undefined {
  const truck = typed.value.get(truckName);
  return truck === undefined ? undefined : Number(truck) || null;
}

/** When, and the window that the customer wants. */
const timeFields = jobFields.slice(0, 2);
/** What the truck is called in what was typed: it is no field that is updated, but where the job is dispatched to. */
const truckName = "truck_id";
