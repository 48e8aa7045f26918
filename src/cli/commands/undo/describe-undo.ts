import type { AnswerNamed } from "../../../client/client.ts";
import { DispatchError, type Violation } from "../../../errors/errors.ts";
import { toldFacts } from "../../../errors/told-error.ts";
import { sayAbsence } from "../../../local-time/absence.ts";
import { sayDay, showTimeOfDay, type TimeView } from "../../../local-time/show-time.ts";
import { type Absence, notOff } from "../../../models/absence.ts";
import type { JsonObject } from "../../../models/json.ts";
import { kindOfField } from "../../../records/find-kind.ts";
import { recordKinds } from "../../../records/record-kinds.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { toRecordName } from "../../presentation/audit-cells.ts";
import { describeChanges, toTitle } from "../../presentation/change.ts";
import type { View } from "../../presentation/view.ts";
import { createRecordView } from "../../target/record-view.ts";
import type { Target } from "../../target/target.ts";

type Undo = AnswerNamed<"audit.undo">;
type UndoneRecord = Undo["records"][number];

export interface UndoTold {
  /** Author, time, and command of the change. */
  head: string;
  /** Each record with its fields, now → then. */
  records: readonly string[];
  /** What the undo leaves unchanged. */
  remarks: readonly string[];
}

export async function describeUndo(target: Target, undo: Undo, isUtc: boolean): Promise<UndoTold> {
  const { changed_on, deliveries_sent, operation, records, remarks, username } = undo;
  const [first] = records;
  const view = createRecordView(target, { isUtc, locationId: first?.location_id ?? null });
  const [sides, fields] = [records.flatMap(toSides), records.flatMap(({ before }) => Object.keys(before))];
  await view.learn(
    sides,
    [...new Set([...fields, ...records.map(({ record_type }) => idFieldOf(record_type))])].filter(
      (field) => kindOfField(field) !== null,
    ),
  );
  const times = view.timesOf({ location_id: first?.location_id ?? null });
  const sent =
    deliveries_sent === 0 ? [] : [`${deliveries_sent} of its webhook deliveries were already sent.`];
  return {
    head: `${toCommandWords(operation, first)} by ${username ?? "somebody"}, ${tellMoment(changed_on, times)}`,
    records: [...new Set(records.filter(isShown).map((record) => describeRecord(record, view)))],
    remarks: [...remarks, ...sent].map((remark) => remark.charAt(0).toUpperCase() + remark.slice(1)),
  };
}

const absenceFields = Object.keys(notOff);

const isAbsence = (changed: JsonObject) =>
  Object.keys(changed).length > 0 && Object.keys(changed).every((field) => absenceFields.includes(field));

/** `drivers off` is not an operation of its own, but the command that its user knows. */
function toCommandWords(operation: string, record: UndoneRecord | undefined): string {
  const [noun = "", verb] = operation.split(".");
  if (!record || !isAbsence(record.before)) return `${noun} ${verb}`;
  return `${noun} ${Object.values(record.before).some(Boolean) ? "off" : "back"}`;
}

/** Omits a customer if its record at a location is listed: both lines would name the customer. */
function isShown(
  { record_id, record_type }: UndoneRecord,
  _: number,
  records: readonly UndoneRecord[],
): boolean {
  const others = records.filter((other) => other.record_type === "CustomerLocation");
  return record_type !== "Customer" || !others.some((other) => other.record_id === record_id);
}

function describeRecord(record: UndoneRecord, view: View): string {
  const [before = {}, after = {}] = toSides(record);
  const type = shownType(record.record_type);
  const kind = namedKindOf(type);
  const name = kind && view.nameIn(before, idFieldOf(type));
  const isKnown = kind !== undefined && name !== `${kind.label} ${record.record_id}`;
  const title = isKnown
    ? toTitle(kind, { id: record.record_id, name })
    : toRecordName(type, record.record_id);
  const changes = isAbsence(record.before)
    ? [before, after].map((side) => tellAbsence(side, type, view)).join(" → ")
    : describeChanges(before, after, view);
  return changes === "" ? title : `${title}: ${changes}`;
}

function tellAbsence(side: JsonObject, type: string, view: View): string {
  const word = type === "Truck" ? "out of service" : "off";
  const absence: Absence = { ...notOff, ...side };
  return absence.off_from || absence.off_until
    ? sayAbsence(absence, view.timesOf(side), word)
    : `not ${word}`;
}

/** The kind of a record that its name shows better than its ID. */
const namedKindOf = (type: string) =>
  recordKinds.find((kind) => kind.type === type && kind.knownBy?.[0] === "name");

const idFieldOf = (type: string) => namedKindOf(shownType(type))?.idParam ?? "id";

/** A customer's record at a location has the customer's ID and no name of its own. */
const shownType = (type: string) => (type === "CustomerLocation" ? "Customer" : type);

/** The location decides the zone, and the ID the name. */
function toSides({ after, before, location_id, record_id, record_type }: UndoneRecord): JsonObject[] {
  return [before, after].map((side) => ({ location_id, ...side, [idFieldOf(record_type)]: record_id }));
}

/** Shows times in the zone of the record's location. */
export async function toLocalError(
  error: unknown,
  target: Target,
  isUtc: boolean,
  locationId: number | null,
) {
  if (!(error instanceof DispatchError) || !error.violations.some(({ detail }) => wireTime.test(detail)))
    return error;
  const view = createRecordView(target, { isUtc, locationId });
  const record = { location_id: locationId };
  await view.learn([record], []);
  const toLocal = (text: string) =>
    text.replaceAll(wireTimes, (_, time: string) => tellMoment(time, view.timesOf(record)));
  const [first, ...others] = error.violations;
  const toTold = (one: Violation) => ({ ...one, detail: toLocal(one.detail) });
  const told = [toTold(first), ...others.map(toTold)] as const;
  return new DispatchError(told, toldFacts(error, told));
}

const wireTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/;
const wireTimes = new RegExp(`(?:on )?(${wireTime.source})`, "g");

function tellMoment(moment: Timestamp, view: TimeView): string {
  const { date, ...time } = view.zone.toLocal(moment);
  return `${sayDay(date, view)} ${showTimeOfDay(time, view.zone)}`;
}
