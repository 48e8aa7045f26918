import type { BoardJob, BoardLocation, BoardTotals, BoardTruck } from "../../../board/board.ts";
import { toCustomerText } from "../../../board/job-words.ts";
import type { ListedJob, LoadedDay } from "../../../board/load-board.ts";
import { sayDriver, sayFreeTruck } from "../../../board/truck-words.ts";
import type { JobListRow } from "../../../documents/job-row.ts";
import {
  textOf,
  toAssets,
  toContact,
  toNotes,
  toPrintedAddress,
  toRequirements,
  toWhen,
} from "../../../documents/job-words.ts";
import type { Pack, PackLine, PackLocation, PackStop, PackTruck } from "../../../documents/pack/pack.ts";
import { toKnownPlace } from "../../../geography/projection.ts";
import { findApproximate, type ZipCenters } from "../../../geography/zip-centers.ts";
import { sayAbsence } from "../../../local-time/absence.ts";
import type { TimeView } from "../../../local-time/show-time.ts";
import type { Zone } from "../../../local-time/zone.ts";
import type { Zones } from "../../../local-time/zones.ts";
import { isAhead, isOver } from "../../../models/job-state.ts";

export interface PackRequest {
  centerOf: ZipCenters;
  /** null prints all trucks and the summary; otherwise no summary. */
  truckIds: ReadonlySet<number> | null;
  paper: Pack["paper"];
  zones: Zones;
}

/** Stops have the same numbers as on the map of the day. */
export function toPack(day: LoadedDay, { centerOf, paper, truckIds, zones }: PackRequest): Pack {
  const { board, jobs } = day;
  const records = new Map(jobs.map((job) => [job.id, job]));
  const locations = board.locations.map((location) =>
    toPackLocation(location, {
      approximate: findApproximate(
        location.trucks.flatMap((truck) => truck.jobs),
        centerOf,
        toKnownPlace(location),
      ),
      ...{ date: board.date, records, truckIds, zone: zones.of(location.id) },
    }),
  );
  const isWanted = ({ trucks }: PackLocation) => truckIds === null || trucks.length > 0;
  return {
    date: board.date,
    hasSummary: truckIds === null,
    locations: locations.filter(isWanted),
    paper,
    printedOn: board.generated_on,
    tenantName: board.tenant.name,
  };
}

interface PackSource {
  approximate: ReadonlySet<number>;
  date: string;
  records: ReadonlyMap<number, ListedJob>;
  truckIds: PackRequest["truckIds"];
  zone: Zone;
}

function toPackLocation(location: BoardLocation, source: PackSource): PackLocation {
  const { trucks, unassigned } = location;
  const chosen = trucks.filter(({ id }) => source.truckIds?.has(id) ?? true);
  const made = chosen.map((truck) => toPackTruck(truck, source));
  const toLines = (isListed: (job: BoardJob) => boolean) =>
    trucks.flatMap(({ jobs, name }) =>
      jobs.flatMap((job, index) =>
        isListed(job) ? [toLine(job, `${name}, stop ${index + 1}`, source)] : [],
      ),
    );
  return {
    declined: toLines(({ state }) => state === "declined"),
    distanceLabel: location.distance_label,
    idle: chosen
      .filter((_, index) => made[index]?.stops.length === 0)
      .map((truck) => sayFreeTruck(truck, toView(source))),
    late: toLines(({ is_late }) => is_late),
    name: location.name,
    clock: source.zone.clock,
    timeZone: source.zone.name,
    totals: describeTotals(location.totals),
    trucks: made.filter(({ stops }) => stops.length > 0),
    unassigned: unassigned
      .filter(({ state }) => !isOver(state))
      .map((job) => toLine(job, job.address?.locality ?? "", source)),
    yard: toKnownPlace(location),
  };
}

/** On paper, days count from the day of the pack. */
const toView = ({ date, zone }: PackSource): TimeView => ({ today: date, zone });

function toPackTruck(truck: BoardTruck, source: PackSource): PackTruck {
  const { jobs, name } = truck;
  const numbered = jobs.map((job, index) => ({ job, number: index + 1 }));
  const ahead = numbered.filter(({ job }) => isAhead(job.state));
  const stops = ahead.map(({ job, number }) => toStop(job, number, source));
  const view = toView(source);
  const off = truck.off && sayAbsence(truck.off, view, "out of service");
  const totals = [...describeStops(stops, jobs), ...(off ? [off] : [])];
  return { driver: sayDriver(truck, view), name, stops, totals };
}

function toStop(job: BoardJob, number: number, source: PackSource): PackStop {
  const record = source.records.get(job.id);
  const own = record ? toRecordRow(record, toView(source)) : emptyRow;
  return {
    ...own,
    customer: toCustomerText(job),
    isApproximate: source.approximate.has(job.id),
    orderNumber: job.id,
    place: toKnownPlace(job.address),
    stop: { isLate: job.is_late, number },
    type: job.type_name,
  };
}

type RecordRow = Omit<JobListRow, "customer" | "orderNumber" | "stop" | "type">;

const emptyRow: RecordRow = {
  address: [],
  assetIn: null,
  assetOut: null,
  contact: null,
  notes: [],
  reference: null,
  requirements: [],
  timeWindow: null,
};

function toRecordRow(job: ListedJob, view: TimeView): RecordRow {
  return {
    ...toAssets(job, toAssetNames(job)),
    address: toPrintedAddress(job.customer?.addresses.find(({ id }) => id === job.address_id)),
    contact: toContact(job.customer?.contacts ?? []),
    notes: [...toCustomerNote(job), ...toNotes(job)],
    reference: textOf(job.reference_number),
    requirements: toRequirements(job),
    timeWindow: toWhen(job, view).time,
  };
}

function toCustomerNote({ customer }: ListedJob) {
  const text = textOf(customer?.note);
  return text ? [{ label: "Customer note", text }] : [];
}

function toAssetNames({ asset, dropped_asset }: ListedJob): Map<number, string> {
  return new Map(
    [asset, dropped_asset].flatMap((one): [number, string][] => {
      if (!one) return [];
      const name = [one.asset_type?.name, one.number ?? one.description].filter((part) => part).join(" ");
      return [[one.id, name || `asset ${one.id}`]];
    }),
  );
}

function toLine(job: BoardJob, where: string, { date, records, zone }: PackSource): PackLine {
  const record = records.get(job.id);
  return {
    customer: toCustomerText(job),
    jobId: job.id,
    time: record ? toWhen(record, { today: date, zone }).time : null,
    type: job.type_name,
    where,
  };
}

function describeStops(stops: readonly PackStop[], jobs: readonly BoardJob[]): string[] {
  const types = new Map<string, number>();
  for (const { type } of stops) types.set(type, (types.get(type) ?? 0) + 1);
  const count = (test: (job: BoardJob) => boolean, words: string) => {
    const number = jobs.filter(test).length;
    return number > 0 ? [`${number} ${words}`] : [];
  };
  return [
    `${stops.length} ${stops.length === 1 ? "stop" : "stops"}`,
    ...[...types].map(([name, number]) => `${number} ${name}`),
    ...countAssets(stops, "assetIn", "in"),
    ...countAssets(stops, "assetOut", "out"),
    ...count(({ is_late }) => is_late, "late"),
    ...count(({ state }) => state === "declined", "declined, not printed"),
    ...count(({ state }) => isOver(state), "done, not printed"),
  ];
}

/** For example `3 assets in`. */
function countAssets(stops: readonly PackStop[], field: "assetIn" | "assetOut", way: string): string[] {
  const { length } = stops.filter((stop) => stop[field] !== null);
  return length === 0 ? [] : [`${length} ${length === 1 ? "asset" : "assets"} ${way}`];
}

function describeTotals({ completed, failed, jobs, late, open, unassigned }: BoardTotals): string[] {
  const parts = [`${jobs} ${jobs === 1 ? "job" : "jobs"}`, `${open} open`];
  if (unassigned > 0) parts.push(`${unassigned} on no truck`);
  if (late > 0) parts.push(`${late} late`);
  if (completed > 0) parts.push(`${completed} completed`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts;
}
