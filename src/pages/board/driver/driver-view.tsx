import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { lateSign, stateSigns, toCustomerText, toLocalWindow } from "../../../board/job-words.ts";
import { showDay, showTimeOfDay } from "../../../local-time/show-time.ts";
import { addDays } from "../../../local-time/zone.ts";
import { toAddressLines } from "../../../models/address-lines.ts";
import { jobStateTable } from "../../../models/job-state.ts";
import { useBoard } from "../board-context.ts";
import { CompleteDialog } from "../dialogs/complete-dialog.tsx";
import { toRequirements } from "../dialogs/job-history.tsx";
import { MessagesButton } from "../dialogs/messages-dialog.tsx";
import { WaitingReports } from "../dialogs/waiting-reports.tsx";
import { listMaterials, type Material } from "../forms/completion.ts";
import { toAssetText, toDialled } from "../job-text.ts";
import { CannotDialog } from "./cannot-dialog.tsx";
import { createDriverCompletion } from "./driver-completion.ts";
import { reportStep, type StepName, type Stop, toSteps, toStop } from "./driver-steps.ts";

export function DriverView(): JSX.Element {
  const { outbox, session, state, view } = useBoard();
  const { driverId } = session;
  const board = state.board.value;
  const isToday = state.date.value === state.today.value;
  const jobs = [
    ...(isToday ? state.trays.value.overdue : []),
    ...(board?.locations ?? []).flatMap(({ trucks }) => trucks.flatMap((truck) => truck.jobs)),
  ];
  const stops = jobs.map((job) => toStop(state, outbox, job)).filter((stop) => stop !== null);
  const isUnderWay = ({ job }: Stop) => job.state === "in progress";
  const open = stops
    .filter(({ job }) => jobStateTable[job.state].turn === "driver")
    .toSorted((one, other) => Number(isUnderWay(other)) - Number(isUnderWay(one)));
  const over = stops.filter(({ job }) => jobStateTable[job.state].turn !== "driver");
  const [next, ...later] = open;
  return (
    <main class="driver">
      <DayLine left={open.length} />
      {state.failure.value !== null && (
        <p role="alert">{`Cannot read the day: ${state.failure.value} The page retries.`}</p>
      )}
      <WaitingReports />
      {!state.isRead.value && !next && <p class="quiet">Reading the day …</p>}
      {next && (
        <section class="stop next" aria-label="Next stop" data-stop={next.job.id}>
          <h2>Next stop</h2>
          <StopFacts stop={next} />
          <Steps stop={next} />
        </section>
      )}
      {state.isRead.value && !next && <p class="empty">No stops are left on this day.</p>}
      {later.length > 0 && <h2>Then</h2>}
      {later.map((stop) => (
        <LaterStop key={stop.job.id} stop={stop} />
      ))}
      {over.length > 0 && (
        <details>
          <summary>
            Done or declined <span class="count">{over.length}</span>
          </summary>
          {over.map((stop) => (
            <LaterStop key={stop.job.id} stop={stop} />
          ))}
        </details>
      )}
      {driverId !== null && session.mayCall("chats.send") && <MessagesButton driverId={driverId} />}
      <button
        type="button"
        onClick={() => {
          view.value = { ...view.value, isWhole: true };
          scrollTo(0, 0);
        }}
      >
        Whole day and map
      </button>
    </main>
  );
}

function DayLine({ left }: { left: number }): JSX.Element {
  const { state, view } = useBoard();
  const date = state.date.value;
  const today = state.today.value;
  const zone = state.fleets.value?.zones.of(null);
  const show = (day: string) => {
    view.value = { ...view.value, date: day === today ? null : day };
  };
  return (
    <div class="day-line">
      <button type="button" aria-label="The day before" onClick={() => show(addDays(date, -1))}>
        ‹
      </button>
      <p>
        <strong>{showDay(date, { today })}</strong>{" "}
        {date === today && zone && <time>{showTimeOfDay(zone.toLocal(state.now.value), zone)}</time>}{" "}
        <span class="quiet">
          {state.isRead.value ? `${left} ${left === 1 ? "stop" : "stops"} left` : "…"}
        </span>
      </p>
      <button type="button" aria-label="The day after" onClick={() => show(addDays(date, 1))}>
        ›
      </button>
    </div>
  );
}

function LaterStop({ stop }: { stop: Stop }): JSX.Element {
  const { job, whole } = stop;
  const when = useWindow(stop);
  return (
    <details class="stop" data-stop={job.id}>
      <summary>
        <span aria-hidden="true">
          {job.is_late ? lateSign : ""}
          {stateSigns[job.state]}{" "}
        </span>
        {when !== "" && <strong>{when} </strong>}
        <bdi>{toCustomerText(job)}</bdi>
        <span class="quiet">
          {" "}
          <bdi>{whole.customer?.addresses.find(({ id }) => id === whole.address_id)?.line_1}</bdi> ·{" "}
          {job.type_name} · {job.state}
          {job.is_late && <span class="alarm"> late</span>}
        </span>
      </summary>
      <StopFacts stop={stop} />
      <Steps stop={stop} />
    </details>
  );
}

function useWindow({ job }: Stop): string {
  const { state } = useBoard();
  const view = { today: state.today.value, zone: state.zoneOf(job.location_id) };
  return toLocalWindow(job, { date: state.date.value, view });
}

function StopFacts({ stop }: { stop: Stop }): JSX.Element {
  const { job, whole } = stop;
  const when = useWindow(stop);
  const { customer } = whole;
  const address = customer?.addresses.find(({ id }) => id === whole.address_id);
  const lines = address ? toAddressLines(address) : [];
  const notes = [whole.driver_notes, whole.dispatcher_notes, whole.customer_notes, customer?.note];
  const required = toRequirements(whole);
  return (
    <div class="stop-facts">
      <p class="who">
        <bdi>{toCustomerText(job)}</bdi>
      </p>
      <p>
        <strong>{when || "Any time"}</strong>
        {job.is_late && <strong class="alarm"> late</strong>} · {job.state} · job {job.id}
        {whole.reference_number && <bdi> · {whole.reference_number}</bdi>}
      </p>
      {lines.length > 0 && (
        <a class="large" href={toNavigation(lines.join(", "))}>
          {lines.map((line) => (
            <bdi key={line}>{line}</bdi>
          ))}
        </a>
      )}
      {customer?.contacts.map(
        ({ id, name, number }) =>
          number && (
            <a key={id} class="large" href={toDialled(number)}>
              <bdi>{name}</bdi> <bdi dir="ltr">{number}</bdi>
            </a>
          ),
      )}
      <p class="what">
        <strong>{job.type_name}</strong>: <bdi>{toLoad(whole)}</bdi>
      </p>
      {whole.dump_location && (
        <p>
          Dump at <bdi>{whole.dump_location.description ?? whole.dump_location.address}</bdi>
        </p>
      )}
      {notes
        .filter((note) => note)
        .map((note) => (
          <p key={note} class="note">
            <bdi>{note}</bdi>
          </p>
        ))}
      {required.length > 0 && <p class="quiet">To complete it: {required.join(", ")}</p>}
    </div>
  );
}

function toLoad(job: Stop["whole"]): string {
  const fetched = toAssetText(job);
  const { dropped_asset } = job;
  const brought = dropped_asset
    ? toAssetText({ ...job, asset: dropped_asset, asset_type: dropped_asset.asset_type ?? job.asset_type })
    : fetched;
  if (job.type === "D") return `bring ${brought || "the asset"}`;
  if (job.type === "E") return `bring ${brought || "the asset"}, fetch ${fetched || "the asset"}`;
  if (job.type === "P") return `fetch ${fetched || "the asset"}`;
  return fetched;
}

/** Android asks which app to open; other systems open their maps. */
function toNavigation(address: string): string {
  const query = encodeURIComponent(address);
  return /android/i.test(navigator.userAgent)
    ? `geo:0,0?q=${query}`
    : `https://maps.apple.com/?daddr=${query}`;
}

const stepLabels: Readonly<Record<StepName, string>> = {
  acknowledge: "Acknowledge",
  arrive: "Arrived",
  cannot: "Cannot do it",
  complete: "Complete",
  start: "Start",
};

function Steps({ stop }: { stop: Stop }): JSX.Element | null {
  const parts = useBoard();
  const { session } = parts;
  const asked = useSignal<"cannot" | "complete" | null>(null);
  const materials = useMaterials(stop);
  const steps = toSteps(stop, session.roles);
  const close = () => {
    asked.value = null;
  };
  const choose = (name: StepName) => {
    if (name === "complete" || name === "cannot") asked.value = name;
    else reportStep(parts, stop, name);
  };
  if (steps.length === 0) return null;
  return (
    <>
      <fieldset class="steps" aria-label={`Steps of job ${stop.job.id}`}>
        {steps.map((name, at) => (
          <button
            key={name}
            type="button"
            class={at === 0 ? "first primary" : name}
            onClick={() => choose(name)}
          >
            {stepLabels[name]}
          </button>
        ))}
      </fieldset>
      {asked.value === "complete" && <CompleteStop stop={stop} materials={materials} onClose={close} />}
      {asked.value === "cannot" && <CannotDialog stop={stop} onClose={close} />}
    </>
  );
}

function CompleteStop({
  materials,
  onClose,
  stop,
}: {
  materials: ReadonlySignal<readonly Material[]>;
  onClose: () => void;
  stop: Stop;
}): JSX.Element {
  const parts = useBoard();
  const completion = useMemo(() => createDriverCompletion(parts, stop, materials), []);
  return <CompleteDialog completion={completion} job={stop.job} onClose={onClose} />;
}

/** Read early, because the driver may complete the job without signal. */
function useMaterials({ job, whole }: Stop) {
  const { session } = useBoard();
  const materials = useSignal<readonly Material[]>([]);
  useEffect(() => {
    if (!whole.require_material && !whole.require_weights) return;
    listMaterials(session, job.location_id).then(
      (found) => (materials.value = found),
      // Without the list, the driver types the name.
      () => undefined,
    );
  }, [job.location_id]);
  return materials;
}
