import type { Actor } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import type { OperationCure } from "../errors/cure.ts";
import { failure, type Violation } from "../errors/errors.ts";
import { type Page, type Paging, toList, toPaging } from "../models/page.ts";
import type { Referenced, ReferencedTable } from "../store/queries/references.ts";

/** Throws the same 404 for a missing and a hidden record. */
export function found<T>(record: T | undefined | null, what: string, id: number | string): T {
  if (record === undefined || record === null)
    throw failure("record_not_found", `There is no ${what} ${id}.`);
  return record;
}

export function requireTenantWide({ scope }: Actor): void {
  if (scope.rowScopes.some(({ kind }) => kind === "tenant")) return;
  throw failure(
    "role_not_allowed",
    "Only users who see the whole tenant may do this; the caller is bound to a part of it.",
  );
}

export async function requireLocation({ store }: Context, id: number) {
  return found(await store.locations.find(id), "location", id);
}

export async function requireCustomer({ store }: Pick<Context, "store">, id: number) {
  return found(await store.customers.find(id), "customer", id);
}

export async function requireHook({ store }: Pick<Context, "store">, id: number) {
  return found(await store.hooks.find(id), "webhook", id);
}

export async function listAtLocation<T>(
  context: Context,
  locationId: number,
  query: Parameters<typeof toPaging>[0],
  read: (paging: Paging) => Promise<Page<T>>,
) {
  await requireLocation(context, locationId);
  const wanted = toPaging(query);
  return toList(await read(wanted), wanted);
}

export interface Reference {
  /** `<Model>.<field>` */
  field: string;
  table: ReferencedTable;
  /** The kind of record, which `listedBy` lists. */
  noun: string;
  listedBy: OperationCure;
  /** Default: any record of the tenant. */
  locationId?: number;
}

/** `known` is the record's current id, which is always accepted. */
export type SentReference = readonly [
  reference: Reference,
  id: number | null | undefined,
  known?: number | null | undefined,
];

/** Ids of missing, hidden, or retired records. null refers to nothing. */
export async function findUnknown(
  { store }: Context,
  references: readonly SentReference[],
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [reference, id, known] of references) {
    if (id === null || id === undefined || id === known) continue;
    const record = await store.references.find(reference.table, id);
    const problem = record ? findUnfit(reference, record) : "";
    if (problem === null) continue;
    violations.push(problem === "" ? toUnknownReference(reference, id) : toUnfit(reference, id, problem));
  }
  return violations;
}

/** null for a valid reference. */
function findUnfit({ locationId }: Reference, record: Referenced): string | null {
  if (record.retired !== null) return record.retired;
  if (locationId === undefined || locationId === record.locationId) return null;
  return `belongs to location ${record.locationId}, not to location ${locationId}`;
}

export function toUnknownReference(
  { field, noun, listedBy }: Omit<Reference, "table">,
  id: number,
): Violation {
  return toViolation(field, `there is no ${noun} ${id}`, listedBy);
}

function toUnfit({ field, noun, listedBy }: Reference, id: number, problem: string): Violation {
  return toViolation(field, `${noun} ${id} ${problem}`, listedBy);
}

function toViolation(field: string, problem: string, see: OperationCure): Violation {
  return { code: "unknown_reference", detail: `${field}: ${problem}.`, field, see };
}
