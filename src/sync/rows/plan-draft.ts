import { failure } from "../../errors/errors.ts";
import type { JsonObject } from "../../models/json.ts";
import { type InputNaming, parseModel } from "../../models/parse.ts";
import { isTimestamp } from "../../models/timestamps.ts";
import type { LoadedFields, LoadedKind } from "../load-kinds.ts";
import {
  type ActualRecord,
  type Calls,
  type Check,
  type FieldChange,
  type PartComparison,
  type Plan,
  planChange,
  type SaidPart,
  toBody,
  toExpectedState,
} from "../planner.ts";
import type { Body, SnapshotRecord } from "../snapshot-record.ts";
import { dropNull, nameColumn, pickFields, toNewLists, toSaidPart } from "./customer-lists.ts";
import type { RowKind } from "./row-kind.ts";
import type { Draft, RowReading } from "./to-draft.ts";

/** Missing fields stay unchanged, and nothing is removed. Models find all violations before any call. */
export function planDraft(reading: RowReading, draft: Draft, found: ActualRecord | null): Plan {
  if (!found) return planCreation(reading, draft);
  const { isSilent, kind } = reading.rowKind;
  const picked = pickFields(draft.record, (name, value) => value !== null || !isSilent(name));
  const said = Object.fromEntries(
    Object.entries(picked).map(([name, value]) => [name, toExact(value, found.record[name])]),
  );
  return planChange({
    ...toSaid(reading, said, draft, found.record),
    actual: found.record,
    check: createCheck(reading),
    kind,
    refusesReadOnly: true,
    toCalls: (own, parts) => () => makeUpdateCalls(reading, found, own, parts),
  });
}

/** A workbook has times to the second; the stored time of that second is the same. */
function toExact<Value>(value: Value, stored: unknown): Value {
  const isSame =
    typeof value === "string" &&
    typeof stored === "string" &&
    isTimestamp(stored) &&
    value.endsWith(".000000") &&
    value.slice(0, 19) === stored.slice(0, 19);
  return isSame ? (stored as Value) : value;
}

/** Checks a draft. Its messages name fields instead of columns. */
function createCheck({ now, rowKind: { kind, model, parts } }: RowReading): Check {
  return (fields, said, isNew) => {
    const isOwn = fields === kind || fields === parts?.location;
    const judge = isOwn ? model : isNew ? fields.create.body : fields.update?.body;
    const { value, violations } = parseModel(
      requireBody(judge),
      isNew ? dropNull(said) : said,
      now,
      plainNaming,
    );
    // Models of bodies return JSON.
    return { value: value as Body | null, violations };
  };
}

const plainNaming: InputNaming = { prefix: "", unknownCode: "unknown_field" };

function toSaid(
  { rowKind: { kind, parts } }: RowReading,
  said: Body,
  draft: Draft,
  actual: SnapshotRecord,
): { fields: Body; parts: SaidPart[] } {
  if (!parts) return { fields: said, parts: [] };
  const { addresses, contacts, ...fields } = said;
  const isOwn = (name: string) => kind.fields.includes(name);
  const location = pickFields(fields, (name) => !isOwn(name));
  return {
    fields: pickFields(fields, isOwn),
    parts: [
      {
        part: parts.location,
        entries: [{ number: null, said: location, actual }],
        others: [],
        toName: () => ({ entry: "", prefix: "" }),
      },
      toSaidPart(parts.address, "address", draft.address, addresses, actual, draft.onlyNew.address),
      toSaidPart(parts.contact, "contact", draft.contact, contacts, actual),
    ],
  };
}

function planCreation(reading: RowReading, draft: Draft): Plan {
  const { now, rowKind } = reading;
  const { kind, update } = rowKind;
  const create = requireBody(kind.create.body);
  const change = requireBody(update.body);
  const isLater = (name: string) => !Object.hasOwn(create.shape, name) && Object.hasOwn(change.shape, name);
  const record = { ...draft.onlyNew.record, ...draft.record };
  const own = pickFields(record, (name) => !isLater(name));
  const said = rowKind.parts ? { ...own, ...toNewLists(draft) } : own;
  const parsed = parseModel(create, dropNull(said), now, plainNaming);
  const later = parseModel(change, dropNull(pickFields(record, isLater)), now, plainNaming);
  const violations = [
    ...parsed.violations.map((violation) => nameColumn(violation, draft)),
    ...later.violations,
  ];
  if (violations.length > 0) return { action: "reject", violations };
  const { setLast } = (rowKind.parts?.location ?? kind).def;
  const differing = pickFields(later.value ?? {}, (name, value) => value === (setLast[name] ?? true));
  const body = pickFields(parsed.value ?? {});
  const calls = () => makeCreateCalls(reading, body, differing);
  return { action: "create", body: { ...body, ...differing }, calls };
}

function* makeCreateCalls({ key, locationId, rowKind }: RowReading, body: Body, later: Body): Calls {
  const { kind, update } = rowKind;
  const text = body[key];
  if (key === "reference_number" && typeof text === "string")
    yield* refuseNewer(rowKind, locationId, { reference_number: text });
  const { id } = yield { operation: kind.create, path: { location_id: locationId }, body };
  if (Object.keys(later).length === 0) return;
  yield { operation: update, path: toPath(kind, locationId, Number(id)), body: later, needsRecord: true };
}

/** Throws precondition_failed if another program has created the record after the plan was made. */
function* refuseNewer(
  { label, list }: RowKind,
  locationId: number,
  query: { reference_number: string },
): Calls {
  const path = { location_id: locationId };
  const { results } = yield { operation: list, path, query, body: undefined, needsRecord: true };
  const [found] = (results ?? []) as readonly SnapshotRecord[];
  if (!found) return;
  const detail = `${label} ${found.id} got the reference number ${query.reference_number} after the plan was made. No other was created.`;
  throw failure("precondition_failed", detail, "reference_number");
}

function* makeUpdateCalls(
  { locationId, rowKind }: RowReading,
  found: ActualRecord,
  own: readonly FieldChange[],
  parts: readonly PartComparison[],
): Calls {
  const { kind } = rowKind;
  const path = toPath(kind, locationId, found.record.id);
  // The tag belongs to the listed record: for a customer, its record at the location.
  const expecting = (fields: LoadedFields, record: Body) => {
    const isListed = record === found.record && fields.update === rowKind.update;
    return toExpectedState(fields, { ...found, record, etag: isListed ? found.etag : null });
  };
  if (own.length > 0 && kind.update)
    yield { operation: kind.update, path, body: toBody(own), expected: expecting(kind, found.record) };
  for (const { entries, part } of parts) {
    for (const { actual, changes, said } of entries) {
      if (!actual) yield { operation: part.create, path, body: said };
      else if (changes.length > 0 && part.update) {
        const entry = part.def.idParam === undefined ? {} : { [part.def.idParam]: actual.id };
        const expected = expecting(part, actual);
        yield { operation: part.update, path: { ...path, ...entry }, body: toBody(changes), expected };
      }
    }
  }
}

function toPath({ def }: LoadedKind, locationId: number, id: number): JsonObject {
  const own = def.idParam === undefined ? {} : { [def.idParam]: id };
  return { location_id: locationId, customer_location_id: locationId, ...own };
}

function requireBody<T>(body: T | null | undefined): T {
  if (!body) throw new Error("Records are imported by operations that take a body.");
  return body;
}
