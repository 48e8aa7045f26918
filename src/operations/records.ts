import type { Actor } from "../actor.ts";
import { failure, type Violation } from "../errors.ts";
import type { Context } from "../operation.ts";
import type { ReferencedTable } from "../store/queries/references.ts";

/** The record, or the 404 that is the same whether it does not exist or may not be seen (OP-22). */
export function found<T>(record: T | undefined | null, what: string, id: number | string): T {
  if (record === undefined || record === null)
    throw failure("record_not_found", `There is no ${what} ${id}.`);
  return record;
}

/** Refuses callers who are bound to a part of the tenant: what they would make or see concerns the whole of it. */
export function requireTenantWide({ scope }: Actor): void {
  if (scope.views.some(({ sees }) => sees === "tenant")) return;
  throw failure(
    "role_not_allowed",
    "This is for users who see the whole tenant; the caller is bound to a part of it.",
  );
}

/** Checks that the location of the path is one of the tenant's that the caller may see. */
export async function requireLocation(context: Context, locationId: number) {
  return found(await context.store.locations.find(locationId), "location", locationId);
}

/** An id in a body and the kind of record it must belong to (OP-23). */
export interface Reference {
  /** `<Model>.<field>` */
  field: string;
  table: ReferencedTable;
  /** How the record is called, and the command that lists such records. */
  noun: string;
  listedBy: string | null;
}

/** The ids that belong to no record of the tenant which the caller may see; null is no reference. */
export async function findUnknown(
  { store }: Context,
  references: readonly (readonly [Reference, number | null | undefined])[],
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [reference, id] of references) {
    if (id === null || id === undefined) continue;
    if (!(await store.references.isThere(reference.table, id)))
      violations.push(toUnknownReference(reference, id));
  }
  return violations;
}

/** Says that an id points to nothing, and which command lists what there is. */
export function toUnknownReference(
  { field, noun, listedBy }: Omit<Reference, "table">,
  id: number,
): Violation {
  const list = listedBy === null ? "" : `; \`dispatch-cli ${listedBy}\` lists them`;
  const detail = `${field}: there is no ${noun} ${id}${list}.`;
  return { code: "unknown_reference", detail, field };
}
