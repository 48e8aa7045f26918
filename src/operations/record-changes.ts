import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { failure } from "../errors/errors.ts";
import { isSame } from "../models/json.ts";
import type { Shape } from "../models/model.ts";
import type { RecordType } from "../models/record-types.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { found } from "./records.ts";

/** `fields` has the record's values after the change. */
export function refuseBackwards(
  model: string,
  {
    off_from,
    off_until,
  }: { off_from?: Timestamp | null | undefined; off_until?: Timestamp | null | undefined },
): void {
  if (!off_from || !off_until || off_from <= off_until) return;
  throw failure("invalid_date", "The last day off must not be before the first one.", `${model}.off_until`);
}

interface Records<R> {
  insert(record: Omit<R, "id">): Promise<R>;
  update(id: number, changed: Partial<Omit<R, "id">>): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;
type Numbered = Fields & { id: number };

interface LocationRecords<R> extends Records<R> {
  find(locationId: number, id: number): Promise<R | undefined>;
}

interface LocationKind<R, Id extends string> {
  type: RecordType;
  noun: string;
  idParam: Id;
  of(store: TenantStore): LocationRecords<R>;
}

export function recordsOfLocation<R extends Numbered, Id extends string>(kind: LocationKind<R, Id>) {
  const { idParam, noun, of, type } = kind;
  return {
    async find({ store }: Context, params: { location_id: number } & Record<Id, number>): Promise<R> {
      return found(await of(store).find(params.location_id, params[idParam]), noun, params[idParam]);
    },
    add(context: Context, fields: Omit<R, "id">): Promise<R> {
      return addRecord(context, type, of(context.store), fields);
    },
    change(context: Context, before: R, body: Patch<R>): Promise<R> {
      return changeRecord(context, type, of(context.store), before, toPatched(before, body));
    },
  };
}

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

/** Stores and reports only different fields. */
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
  // Object.fromEntries loses the keys, which are the record's own; the id stays the same.
  const fields = Object.fromEntries(differing.map((name) => [name, after[name]])) as Partial<Omit<R, "id">>;
  await records.update(before.id, fields);
  changed({ type, action: "updated", id: before.id, before, after });
  return after;
}

/** Each absent or null field has its default, or null. */
type Filled<B, D> = {
  [K in keyof B]-?: K extends keyof D
    ? NonNullable<B[K]>
    : undefined extends B[K]
      ? NonNullable<B[K]> | null
      : B[K];
} & D;

/** Each field's value, its default, or null; then the other defaults. */
export function toNewFields<M extends z.ZodObject<Shape>, D extends Fields>(
  model: M,
  body: z.output<M>,
  defaults: D,
): Filled<z.output<M>, D> {
  const sent: Fields = body;
  const fields = Object.keys(model.shape).map((name) => [name, sent[name] ?? defaults[name] ?? null]);
  // Object.fromEntries loses the keys; the model has the same ones.
  return { ...defaults, ...Object.fromEntries(fields) } as Filled<z.output<M>, D>;
}

type Patch<R> = { [K in keyof R]?: R[K] | undefined };

/** An absent field stays. */
export function toPatched<R extends Fields>(before: R, body: Patch<R>): R {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(sent) };
}
