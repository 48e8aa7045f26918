import { isRepeatable } from "../core/is-repeatable.ts";
import type { Operation } from "../core/operation.ts";

/** What a client knows of an operation, as little as it needs. */
export interface ClientOperation extends Pick<Operation, "method" | "path" | "roles" | "summary" | "effect"> {
  traits: OperationTraits;
}

/** What a client does differently for an operation; absent where it does not. */
export interface OperationTraits {
  /** The server carries it out once for its Idempotency-Key. */
  isKeyed?: true;
  /** Each page of its list can begin behind a record: by its place in the schedule, or by its id, which one of these fields holds. */
  walk?: "schedule" | readonly string[];
}

export type OperationTable = Readonly<Record<string, ClientOperation>>;

/** The table of operations, by their names and in their order. */
export function toOperationTable(operations: readonly Operation[]): OperationTable {
  return Object.fromEntries(operations.map((operation) => [operation.name, toClientOperation(operation)]));
}

function toClientOperation(operation: Operation): ClientOperation {
  const { effect, method, path, roles, summary } = operation;
  const walk = walkOf(operation);
  const traits = { ...(isRepeatable(operation) && { isKeyed: true as const }), ...(walk && { walk }) };
  return { method, path, roles, summary, effect, traits };
}

function walkOf({ listing, query }: Operation): OperationTraits["walk"] | null {
  if (!("page_after" in query)) return null;
  return listing?.order ?? listing?.idFields ?? ["id"];
}
