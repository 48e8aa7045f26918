import { Fragment, type JSX } from "preact";
import { memo } from "preact/compat";
import type { BoardJob } from "../../board/board.ts";
import { lateSign, stateSigns, toAddressLine, toCustomerText, toLocalWindow } from "../../board/job-words.ts";
import { sayDayOrMoment } from "../../local-time/show-time.ts";
import { showPhone } from "../../models/show-phone.ts";
import { mayMove } from "./actions/move-job.ts";
import { useBoard } from "./board-context.ts";
import { CardForm } from "./dialogs/card-form.tsx";
import type { JobForm } from "./forms/job-form.ts";
import { toAssetText, toContact, toDialled } from "./job-text.ts";
import type { Job } from "./state/read-day.ts";

interface CardProps {
  job: BoardJob;
  whole: Job | undefined;
  isBusy: boolean;
  isSelected: boolean;
  hasDay?: boolean;
  form: JobForm | undefined;
  /** The other user who has just changed the job. */
  who: string | null;
}

export const Card = memo(
  ShownCard,
  (one, other) =>
    one.whole === other.whole &&
    one.job.is_late === other.job.is_late &&
    one.job.truck_id === other.job.truck_id &&
    one.isBusy === other.isBusy &&
    one.isSelected === other.isSelected &&
    one.hasDay === other.hasDay &&
    one.form === other.form &&
    one.who === other.who,
);

function ShownCard({ form, hasDay = false, isBusy, isSelected, job, who, whole }: CardProps): JSX.Element {
  const { dialog, state } = useBoard();
  const view = { today: state.today.value, zone: state.zoneOf(job.location_id) };
  const day = hasDay && job.schedule_date ? sayDayOrMoment(job.schedule_date, view) : "";
  const when = day || toLocalWindow(job, { date: state.date.value, view });
  const contact = toContact(whole);
  const asset = toAssetText(whole);
  const notes = [whole?.dispatcher_notes, whole?.driver_notes, whole?.customer_notes];
  const open = () => {
    dialog.value = { kind: "job", job };
  };
  return (
    <li
      class="card"
      data-job={job.id}
      data-state={job.state}
      data-late={job.is_late || undefined}
      data-editing={form ? true : undefined}
      data-selected={isSelected || undefined}
      aria-busy={isBusy}
      aria-label={`${isSelected ? "Selected, " : ""}${toName(job, when)}`}
      tabIndex={-1}
      onDblClick={open}
    >
      <Head job={job} when={when} />
      <p class="name">
        <bdi>{toCustomerText(job)}</bdi>
      </p>
      {form && <CardForm form={form} job={job} />}
      <p class="place">
        <bdi>{toAddressLine(job.address)}</bdi>
      </p>
      <p class="what">
        <Values values={[job.type_name, asset, job.reference_number]} />
      </p>
      <p class="foot">
        {contact && (
          <a href={toDialled(contact.number)} tabIndex={-1}>
            {contact.name && <bdi>{contact.name}</bdi>} <bdi dir="ltr">{showPhone(contact.number)}</bdi>
          </a>
        )}
        <button type="button" class="id" tabIndex={-1} onClick={open} aria-label={`Open job ${job.id}`}>
          {job.id}
        </button>
      </p>
      {notes.some(Boolean) && (
        <p class="notes">
          <Values values={notes} />
        </p>
      )}
      {who !== null && (
        <p class="changed">
          changed by <bdi>{who}</bdi>
        </p>
      )}
    </li>
  );
}

function Values({ values }: { values: readonly (string | null | undefined)[] }): JSX.Element {
  const told = values.filter((value) => value !== null && value !== undefined && value !== "");
  return (
    <>
      {told.map((value, at) => (
        <Fragment key={at}>
          {at > 0 && " · "}
          <bdi>{value}</bdi>
        </Fragment>
      ))}
    </>
  );
}

function Head({ job, when }: Pick<CardProps, "job"> & { when: string }): JSX.Element {
  const parts = useBoard();
  const isMoved = mayMove(parts, job);
  // One line has no room for the end of a window, but shows the half of the day that the start shares with it.
  const [from = "", ...until] = when.split("–");
  const half = from.endsWith("m") ? undefined : / [ap]m$/.exec(when)?.[0];
  const shown = (
    <>
      {from}
      {until.length > 0 && <span class="until">–{until.join("–")}</span>}
    </>
  );
  return (
    <p class="head">
      <span class="sign" aria-hidden="true">
        {job.is_late ? lateSign : ""}
        {stateSigns[job.state]}
      </span>
      {isMoved ? (
        <button
          type="button"
          class="when"
          data-half={half}
          tabIndex={-1}
          title="Change day, time or truck"
          aria-label={`${when || "No time"}, change day, time or truck`}
          onClick={() => parts.cardForms.begin(job)}
        >
          {when !== "" && shown}
        </button>
      ) : (
        <strong class="when" data-half={half}>
          {when !== "" && shown}
        </strong>
      )}
      <span class="state">{job.is_late ? `${job.state}, late` : job.state}</span>
      {isMoved && (
        <span class="grip" aria-hidden="true" title="Drag to a truck or day">
          ⠿
        </span>
      )}
    </p>
  );
}

function toName(job: BoardJob, when: string): string {
  const state = `${job.state}${job.is_late ? ", late" : ""}`;
  const where = toAddressLine(job.address);
  return [`Job ${job.id}`, state, when, toCustomerText(job), where].filter(Boolean).join(", ");
}
