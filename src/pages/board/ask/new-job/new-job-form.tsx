import type { JSX } from "preact";
import { toAddressLines } from "../../../../models/address-lines.ts";
import { jobTypes, toTypeName } from "../../../../models/job-types.ts";
import type { JobField } from "../../edit/job-fields.ts";
import { focusCard } from "../../focus-card.ts";
import { toDialled } from "../../job-text.ts";
import { focusRefused } from "../focus-refused.ts";
import { type Choice, FieldInput } from "../job/field-input.tsx";
import { useAssetTypes } from "../use-asset-types.ts";
import { useLeaving } from "../use-leaving.tsx";
import { Window } from "../window.tsx";
import type { Customer, NewJob } from "./create-new-job.ts";
import { newJobFields } from "./new-job-fields.ts";

interface NewJobFormProps {
  customer: Customer;
  job: NewJob;
  onBack: () => void;
  onLeave: () => void;
}

/** What is asked for to make a job for a customer. */
export function NewJobForm({ customer, job, onBack, onLeave }: NewJobFormProps): JSX.Element {
  const { close, question } = useLeaving(job.isUnsaved, onLeave);
  const choices = useChoices(customer, job);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    const made = await job.create();
    if (made === null) return focusRefused(currentTarget);
    // Who has left it meanwhile is not led away from where they are now.
    if (!currentTarget.isConnected) return;
    onLeave();
    // The window is gone then, and the card stands on the board; there is none where the board shows another day.
    queueMicrotask(() => focusCard(made.id));
  };
  const input = (field: FormField) => (
    <FieldInput
      key={field.names[0]}
      field={field}
      isFirst={field === addressField}
      choices={choices[field.names[0]] ?? []}
      value={job.textOf(field.names[0])}
      refusal={job.refusals.value.get(field.names[0])}
      onType={(text) => job.type(field.names[0], text)}
    />
  );
  return (
    <Window title={`New job for ${customer.name}`} onClose={close}>
      <form class="new-job" onSubmit={(event) => void submit(event)} noValidate>
        <Contacts customer={customer} />
        <div class="fields">
          {input(addressField)}
          {job.fleets.length > 1 && input(locationField)}
          {newJobFields.filter(({ as }) => as !== "lines").map(input)}
          {input(truckField)}
          {newJobFields.filter(({ as }) => as === "lines").map(input)}
        </div>
        <div class="ending">
          <p role="alert">
            {job.fleet.value ? job.refusals.value.get("") : "No location that you see serves this customer."}
          </p>
          {question ?? <Buttons job={job} onBack={onBack} />}
        </div>
      </form>
    </Window>
  );
}

function Buttons({ job, onBack }: { job: NewJob; onBack: () => void }): JSX.Element {
  return (
    <p class="buttons">
      <button type="submit" disabled={job.isBusy.value || job.fleet.value === undefined}>
        {job.isBusy.value ? "Making it …" : "Make the job"}
      </button>
      <button type="button" onClick={onBack}>
        Another customer
      </button>
    </p>
  );
}

type FormField = Pick<JobField, "as" | "charsMax" | "forms" | "label"> & {
  names: readonly [string, ...string[]];
};

const addressField: FormField = { as: "choice", label: "Address", names: ["address_id"] };
const locationField: FormField = { as: "choice", label: "Location", names: ["location_id"] };
const truckField: FormField = { as: "choice", label: "Truck", names: ["truck_id"] };

function Contacts({ customer: { contacts } }: { customer: Customer }): JSX.Element {
  return (
    <p class="contacts">
      {contacts.map(({ id, name, number }) => (
        <span key={id}>
          <bdi>{name}</bdi> {number && <a href={toDialled(number)}>{number}</a>}
        </span>
      ))}
    </p>
  );
}

function useChoices({ addresses }: Customer, job: NewJob): Readonly<Record<string, readonly Choice[]>> {
  const fleet = job.fleet.value;
  const types = useAssetTypes(fleet?.location.id ?? null);
  return {
    address_id: addresses
      .filter(({ is_active }) => is_active)
      .map((address): Choice => [String(address.id), toAddressLines(address).join(", ")]),
    asset_type_id: [["", "none"], ...types.value.map(({ id, name }): Choice => [String(id), name])],
    location_id: job.fleets.map(({ location }): Choice => [String(location.id), location.name]),
    truck_id: [
      ["", "none"],
      ...(fleet?.trucks ?? []).map(
        ({ id, name, out_of_service }): Choice => [
          String(id),
          out_of_service ? `${name} (out of service)` : name,
        ],
      ),
    ],
    type: jobTypes.map((type): Choice => [type, toTypeName(fleet?.location ?? null, type)]),
  };
}
