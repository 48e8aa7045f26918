import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { toAddressLines } from "../../../models/address-lines.ts";
import { jobTypes, toTypeName } from "../../../models/job-types.ts";
import { messageOf } from "../../session/keep-trying.ts";
import { useBoard } from "../board-context.ts";
import type { JobField } from "../forms/job-fields.ts";
import { newCustomerFields } from "../forms/new-customer.ts";
import {
  type Customer,
  createNewJob,
  type FoundCustomer,
  type NewJob,
  newJobFields,
} from "../forms/new-job.ts";
import { focusCard } from "../input/keep-focus.ts";
import { toDialled } from "../job-text.ts";
import { ChooseCustomer } from "./choose-customer.tsx";
import { Dialog, focusRefused, useClosing } from "./dialog.tsx";
import { type Choice, FieldInput } from "./field-input.tsx";
import { useAssetTypes } from "./job-fieldset.tsx";

/** Asks for the customer unless it is `found`, then for the job. */
export function NewJobDialog({ found }: { found?: FoundCustomer }): JSX.Element {
  const parts = useBoard();
  const started = useSignal<StartedJob | null>(null);
  const refusal = useSignal("");
  const leave = () => {
    parts.dialog.value = null;
  };
  const chosen = useRef<FoundCustomer | null>(null);
  const choose = async (found: FoundCustomer) => {
    chosen.current = found;
    // Of several choices the last one counts.
    const isWanted = () => chosen.current === found;
    try {
      const customer = await parts.session.client.call("customers.get", {
        params: { customer_id: found.id },
      });
      if (!isWanted()) return;
      // A second choice of the same customer must not reset the form.
      chosen.current = null;
      started.value = { customer, job: createNewJob(parts, customer, found, "") };
      refusal.value = "";
    } catch (error) {
      if (isWanted()) refusal.value = messageOf(error);
    }
  };
  useEffect(() => {
    if (found) void choose(found);
  }, [found]);
  if (started.value)
    return (
      <NewJobForm
        {...started.value}
        onBack={() => {
          started.value = null;
        }}
        onLeave={leave}
      />
    );
  return (
    <Dialog title="New job" onClose={leave}>
      <ChooseCustomer
        onChoose={(customer) => void choose(customer)}
        onNew={(caller) => {
          started.value = { customer: null, job: createNewJob(parts, null, null, caller) };
        }}
      />
      <p role="alert">{refusal.value}</p>
    </Dialog>
  );
}

interface StartedJob {
  customer: Customer | null;
  job: NewJob;
}

interface NewJobFormProps {
  customer: Customer | null;
  job: NewJob;
  onBack: () => void;
  onLeave: () => void;
}

function NewJobForm({ customer, job, onBack, onLeave }: NewJobFormProps): JSX.Element {
  const { close, question } = useClosing(job.isUnsaved, onLeave);
  const choices = useChoices(customer, job);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    const created = await job.create();
    if (created === null) return focusRefused(currentTarget);
    // The user may have closed this dialog and opened another.
    if (!currentTarget.isConnected) return;
    onLeave();
    // The board shows the card after this task, unless the job is on another day.
    queueMicrotask(() => focusCard(created.id));
  };
  const isCaller = (field: FormField) => newCustomerFields.some((one) => one === field);
  const fields: readonly FormField[] = customer ? [addressField] : newCustomerFields;
  const [first] = useMemo(
    () => fields.filter(({ names: [name] }) => customer || job.textOf(name) === ""),
    [],
  );
  const input = (field: FormField) => (
    <FieldInput
      key={field.names[0]}
      field={field}
      isFirst={field === first}
      isDisabled={isCaller(field) && job.stored.value !== null}
      choices={choices[field.names[0]] ?? []}
      value={job.textOf(field.names[0])}
      refusal={job.refusals.value.get(field.names[0])}
      onType={(text) => job.type(field.names[0], text)}
    />
  );
  return (
    <Dialog title={`New job for ${customer?.name ?? "a new customer"}`} onClose={close}>
      <form class="new-job" onSubmit={(event) => void submit(event)} noValidate>
        {customer && <Contacts customer={customer} />}
        <div class="fields">
          {fields.map(input)}
          {job.fleets.length > 1 && input(locationField)}
          {newJobFields.filter(({ as }) => as !== "lines").map(input)}
          {input(truckField)}
          {newJobFields.filter(({ as }) => as === "lines").map(input)}
        </div>
        <div class="ending">
          <p role="alert">
            {job.fleet.value ? job.refusals.value.get("") : "None of your locations serves this customer."}
          </p>
          {question ?? <Buttons job={job} onBack={onBack} />}
        </div>
      </form>
    </Dialog>
  );
}

function Buttons({ job, onBack }: { job: NewJob; onBack: () => void }): JSX.Element {
  return (
    <p class="buttons">
      <button type="submit" disabled={job.isBusy.value || job.fleet.value === undefined}>
        {job.isBusy.value ? "Creating …" : "Create job"}
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

function useChoices(customer: Customer | null, job: NewJob): Readonly<Record<string, readonly Choice[]>> {
  const fleet = job.fleet.value;
  const types = useAssetTypes(fleet?.location.id ?? null);
  return {
    address_id: (customer?.addresses ?? [])
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
