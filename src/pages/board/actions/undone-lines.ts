import type { Undone } from "../../../board/board-undo.ts";
import { sayDayOrMoment } from "../../../local-time/show-time.ts";
import { isolate, toFieldWords } from "../job-text.ts";
import type { DayState } from "../state/day-state.ts";

type UndoneRecord = Undone["records"][number];

export function toUndoneLines(undone: readonly Undone[], state: DayState): string[] {
  const records = undone.flatMap((one) => one.records.map((record) => toLine(record, state)));
  const shown = records.slice(0, recordsMax);
  const others = records.length > recordsMax ? [`and ${records.length - recordsMax} more records`] : [];
  return [...shown, ...others, ...undone.flatMap(({ remarks }) => remarks)];
}

const recordsMax = 3;

function toLine(record: UndoneRecord, state: DayState): string {
  const { after, before, record_id, record_type } = record;
  const all = Object.keys(before);
  // The service sets times and users itself when other fields change.
  const told = all.filter((name) => !/_(?:by|on)$/.test(name));
  const names = told.length > 0 ? told : all;
  const show = (values: UndoneRecord["after"], name: string) =>
    isolate(toValueText(name, values[name], record, state));
  const changes = names.map((name) =>
    name === "priority"
      ? "back at its old place in the order"
      : `${toFieldWords(name)} ${show(before, name)} → ${show(after, name)}`,
  );
  return `${record_type} ${record_id}${changes.length > 0 ? ": " : ""}${changes.join(", ")}`;
}

function toValueText(name: string, value: unknown, { location_id }: UndoneRecord, state: DayState): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (name === "truck_id") {
    const trucks = state.fleets.value?.all.flatMap((fleet) => fleet.trucks) ?? [];
    return trucks.find(({ id }) => id === value)?.name ?? `truck ${value}`;
  }
  if (typeof value === "string" && isMoment.test(value))
    return sayDayOrMoment(value, { today: state.today.value, zone: state.zoneOf(location_id) });
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
