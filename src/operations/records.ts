import type { Actor } from "../auth/actor.ts";
import type { Context } from "../core/context.ts";
import type { OperationCure } from "../errors/cure.ts";
import { failure, type Violation } from "../errors/errors.ts";
import { type Page, type Paging, toList, toPaging } from "../models/page.ts";
import type { Referenced, ReferencedTable } from "../store/queries/references.ts";

/** The record, or the 404 that is the same whether it does not exist or may not be seen (OP-22). */
export function found<T>(record: T | undefined | null, what: string, id: number | string): T {
  if (record === undefined || record === null)
    throw failure("record_not_found", `There is no ${what} ${id}.`);
  return record;
}

/** Refuses callers who see only a part of the tenant: the operation concerns the whole of it. */
export function requireTenantWide({ scope }: Actor): void {
  if (scope.rowScopes.some(({ kind }) => kind === "tenant")) return;
  throw failure(
    "role_not_allowed",
    "This is for users who see the whole tenant; the caller is bound to a part of it.",
  );
}

/** Checks that the location of the path is one of the tenant's that the caller may see. */
export async function requireLocation(context: Context, locationId: number) {
  return found(await context.store.locations.find(locationId), "location", locationId);
}

/** One page of what a location of the tenant has, as a list answers it (OP-52). */
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

/** An id in a body and the kind of record it must belong to (OP-23). */
export interface Reference {
  /** `<Model>.<field>` */
  field: string;
  table: ReferencedTable;
  /** How the record is called, and the operation that lists such records. */
  noun: string;
  listedBy: OperationCure;
  /** The only location whose records may be named; by default any of the tenant's. */
  locationId?: number;
}

/** A reference, the id that was sent, and the id that the record names already: it stays, whatever it points to. */
export type SentReference = readonly [
  reference: Reference,
  id: number | null | undefined,
  known?: number | null | undefined,
];

/**
 * The ids that belong to no record of the tenant which the caller may see, or to one that nothing new may point to: a
 * removed dump destination, a deleted asset type, a deactivated driver. null is no reference.
 */
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

/** Why a record that is there cannot be named; null when it can. */
function findUnfit({ locationId }: Reference, record: Referenced): string | null {
  if (record.retired !== null) return record.retired;
  if (locationId === undefined || locationId === record.locationId) return null;
  return `belongs to location ${record.locationId}, not to location ${locationId}`;
}

/** Says that an id points to nothing, and which operation lists what there is. */
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
