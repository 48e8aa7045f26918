import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { BoardJob, BoardLocation, BoardTruck } from "../../../board/board.ts";
import { hasAllWords, toWords } from "../../../board/job-words.ts";
import { sayDriver, sayTruckOff } from "../../../board/truck-words.ts";
import { distanceBetween, showDistance, unitOf } from "../../../geography/distance.ts";
import { toKnownPlace } from "../../../geography/projection.ts";
import { isAhead } from "../../../models/job-state.ts";
import { useBoard } from "../board-context.ts";
import { moveSelected } from "../input/follow-selection.ts";
import { focusCard, nextInTray } from "../input/keep-focus.ts";
import { toCountText } from "../job-text.ts";
import { Dialog } from "./dialog.tsx";
import { type Option, PickList } from "./pick-list.tsx";

/** Asks which truck gets the jobs. */
export function TruckDialog({
  jobs,
  onClose,
  onMove,
}: {
  jobs: readonly BoardJob[];
  onClose: () => void;
  /** Gets the running action. */
  onMove?: ((moving: Promise<boolean>) => void) | undefined;
}): JSX.Element {
  const parts = useBoard();
  const text = useSignal("");
  const [first] = jobs;
  const isOneYard = jobs.every(({ location_id }) => location_id === first?.location_id);
  const location = parts.state.board.value?.locations.find(({ id }) => id === first?.location_id);
  const choose = (truckId: number | null) => {
    const next = onMove ? undefined : nextInTray(jobs);
    onClose();
    const moving = moveSelected(parts, jobs, { truckId });
    onMove?.(moving);
    // The dialog returns the focus to the card before.
    if (next !== undefined) queueMicrotask(() => focusCard(next));
  };
  // A filter may hide the location of an open job.
  const trucks = location?.trucks ?? parts.state.fleetOf(first?.location_id ?? 0)?.trucks ?? [];
  const named = (isOneYard ? trucks : []).map((truck) =>
    "jobs" in truck
      ? { id: truck.id, name: `${truck.name} ${truck.driver ?? ""}`, truck }
      : { id: truck.id, name: truck.name },
  );
  const noTruck = { id: null, name: "No truck" };
  const options = [...named, noTruck]
    .filter((option) => hasAllWords(toWords(text.value), option.name))
    .map(
      (option): Option => ({
        children:
          "truck" in option ? <TruckChoice jobs={jobs} truck={option.truck} yard={location} /> : option.name,
        key: String(option.id),
        take: () => choose(option.id),
      }),
    );
  const name = jobs.length === 1 ? `job ${first?.id}` : `${jobs.length} jobs`;
  return (
    <Dialog title={`Put ${name} on which truck?`} onClose={onClose}>
      {!isOneYard && <p class="alarm">These jobs are of several locations. Choose jobs of one.</p>}
      <PickList
        label="Truck or driver"
        text={text.value}
        options={options}
        onType={(typed) => {
          text.value = typed;
        }}
      />
    </Dialog>
  );
}

function TruckChoice({
  jobs,
  truck,
  yard,
}: {
  jobs: readonly BoardJob[];
  truck: BoardTruck;
  yard: BoardLocation | undefined;
}): JSX.Element {
  const { state } = useBoard();
  const view = { today: state.today.value, zone: state.zoneOf(jobs[0]?.location_id ?? null) };
  const isPresent = jobs.some(({ truck_id }) => truck_id === truck.id);
  const off = [sayTruckOff(truck, view), truck.driver_off && "driver off"].filter(Boolean).join(", ");
  return (
    <>
      <strong>{truck.name}</strong>
      {isPresent && <span class="quiet"> now</span>}
      {off !== "" && <span class="alarm"> {off}</span>}
      <span class="quiet more">
        <bdi>{sayDriver(truck, view) ?? "no driver"}</bdi> · {toCountText(truck.totals)}
        {sayFit(jobs, truck)}
        {yard && sayDistance(jobs, truck, yard)}
      </span>
    </>
  );
}

/** Whether the windows of the jobs are free on the truck; empty for jobs without a window. */
function sayFit(jobs: readonly BoardJob[], { jobs: own }: BoardTruck): string {
  const placed = jobs.filter(
    ({ desired_end_time, desired_start_time }) => desired_start_time && desired_end_time,
  );
  if (placed.length === 0) return "";
  const others = own.filter((other) => isAhead(other.state) && !jobs.some(({ id }) => id === other.id));
  const count = others.filter((other) => placed.some((job) => isAtOnce(job, other))).length;
  return count === 0 ? " · time is free" : ` · ${count} at the same time`;
}

/** The straight line from the truck's nearest open job, or from the yard of a truck without jobs. */
function sayDistance(
  jobs: readonly BoardJob[],
  { jobs: own }: BoardTruck,
  yard: Pick<BoardLocation, "distance_label" | "latitude" | "longitude">,
): string {
  const place = jobs.length === 1 ? toKnownPlace(jobs[0]?.address) : null;
  if (place === null) return "";
  const stops = own
    .filter(({ id, state }) => isAhead(state) && id !== jobs[0]?.id)
    .flatMap(({ address }) => toKnownPlace(address) ?? []);
  const home = toKnownPlace(yard);
  const from = stops.length > 0 ? stops : home ? [home] : [];
  if (from.length === 0) return "";
  const meters = Math.min(...from.map((stop) => distanceBetween(stop, place)));
  const name = stops.length > 0 ? "its nearest stop" : "the yard";
  return ` · ${showDistance(meters, unitOf(yard.distance_label))} from ${name}`;
}

function isAtOnce(one: BoardJob, other: BoardJob): boolean {
  const isBefore = (a: BoardJob, b: BoardJob) =>
    a.desired_start_time !== null && b.desired_end_time !== null && a.desired_start_time < b.desired_end_time;
  return isBefore(one, other) && isBefore(other, one);
}
