import { type Listing, type PlaceParameter, placeParameter } from "../core/listing.ts";
import { isRepeatable, type Operation, rolesOf, routeOf } from "../core/operation.ts";

export interface ClientOperation extends ReturnType<typeof routeOf> {
  traits: OperationTraits;
}

/** Differences that a client must know; absent members are the default. */
export interface OperationTraits {
  /** The server runs it once per Idempotency-Key. */
  isKeyed?: true;
  isPublic?: true;
  /** Changes nothing, so a client may repeat it. */
  isRead?: true;
  /** The parameter that starts a page of its list after a record. */
  walk?: Listing & { by: PlaceParameter };
}

export type OperationTable = Readonly<Record<string, ClientOperation>>;

export function toOperationTable(operations: readonly Operation[]): OperationTable {
  return Object.fromEntries(
    operations.map((operation) => [operation.name, { ...routeOf(operation), traits: toTraits(operation) }]),
  );
}

function toTraits(operation: Operation): OperationTraits {
  const { allow, effect, reads } = operation;
  const by = placeParameter(operation);
  return {
    ...(isRepeatable(operation) && { isKeyed: true }),
    ...(allow === "anyone" && { isPublic: true }),
    ...(effect === "read" && { isRead: true }),
    ...(by && { walk: { ...reads.listing, by } }),
  };
}

export interface OperationFacts extends Pick<Operation, "summary" | "effect"> {
  roles: ReturnType<typeof rolesOf>;
}

export function toOperationFacts(operations: readonly Operation[]): Readonly<Record<string, OperationFacts>> {
  return Object.fromEntries(
    operations.map((operation) => {
      const { effect, name, summary } = operation;
      return [name, { roles: rolesOf(operation), summary, effect }];
    }),
  );
}
