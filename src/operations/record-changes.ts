import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { isSame } from "../models/json.ts";
import type { Shape } from "../models/model.ts";
import type { RecordType } from "../models/record-types.ts";

/** How a kind of record is added and changed in the store; each `store.<records>` is one. */
interface Records<R> {
  insert(record: Omit<R, "id">): Promise<R>;
  update(id: number, changed: Partial<Omit<R, "id">>): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;
type Numbered = Fields & { id: number };

/** Stores a new record and reports it. */
export async function addRecord<R extends Numbered>(
  { changed }: Context,
  type: RecordType,
  records: Records<R>,
  fields: Omit<R, "id">,
): Promise<R> {
  const record = await records.insert(fields);
  changed({ type, action: "created", id: record.id, before: null, after: record });
  return record;
}

/** Stores and reports the fields that differ, and gives the changed record. Writes nothing when nothing differs. */
export async function changeRecord<R extends Numbered>(
  { changed }: Context,
  type: RecordType,
  records: Records<R>,
  before: R,
  after: R,
): Promise<R> {
  const names = Object.keys(after) as (keyof R)[];
  const differing = names.filter((name) => !isSame(before[name], after[name]));
  if (differing.length === 0) return before;
  // Object.fromEntries forgets the keys, which are the record's own; the id is the same before and after.
  const fields = Object.fromEntries(differing.map((name) => [name, after[name]])) as Partial<Omit<R, "id">>;
  await records.update(before.id, fields);
  changed({ type, action: "updated", id: before.id, before, after });
  return after;
}

/** A body with a default for each field that was not sent or is null; null where there is none. */
type Filled<B, D> = {
  [K in keyof B]-?: K extends keyof D
    ? NonNullable<B[K]>
    : undefined extends B[K]
      ? NonNullable<B[K]> | null
      : B[K];
} & D;

/**
 * The fields of a new record: for each field of the model the value of the body, else its
 * default, else null; then the other defaults.
 */
export function toNewFields<M extends z.ZodObject<Shape>, D extends Fields>(
  model: M,
  body: z.output<M>,
  defaults: D,
): Filled<z.output<M>, D> {
  const sent: Fields = body;
  const fields = Object.keys(model.shape).map((name) => [name, sent[name] ?? defaults[name] ?? null]);
  // Object.fromEntries forgets the keys; they are those of the model.
  return { ...defaults, ...Object.fromEntries(fields) } as Filled<z.output<M>, D>;
}

/** The record as a PATCH leaves it: a field that is not sent stays. */
export function toPatched<R extends Fields>(before: R, body: { [K in keyof R]?: R[K] | undefined }): R {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(sent) };
}
