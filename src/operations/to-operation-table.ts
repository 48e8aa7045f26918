import { isRepeatable } from "../core/is-repeatable.ts";
import { type Listing, type PlaceParameter, placeParameter } from "../core/listing.ts";
import { type Operation, rolesOf, routeOf } from "../core/operation.ts";

/** What a client needs of an operation to call it. */
export interface ClientOperation extends ReturnType<typeof routeOf> {
  traits: OperationTraits;
}

/** What a client does differently for an operation; absent where it does not. */
export interface OperationTraits {
  /** The server carries it out once for its Idempotency-Key. */
  isKeyed?: true;
  /** Anybody may call it, without a token. */
  isPublic?: true;
  /** It changes nothing, so that it can be sent again. */
  isRead?: true;
  /** Each page of its list can begin behind a record, which this parameter names. */
  walk?: Listing & { by: PlaceParameter };
}

export type OperationTable = Readonly<Record<string, ClientOperation>>;

/** The table of operations, by their names and in their order. */
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

/** What only who reads of an operation wants to know. */
export interface OperationFacts extends Pick<Operation, "summary" | "effect"> {
  roles: ReturnType<typeof rolesOf>;
}

/** The facts of the operations, by their names and in their order. */
export function toOperationFacts(operations: readonly Operation[]): Readonly<Record<string, OperationFacts>> {
  return Object.fromEntries(
    operations.map((operation) => {
      const { effect, name, summary } = operation;
      return [name, { roles: rolesOf(operation), summary, effect }];
    }),
  );
}
