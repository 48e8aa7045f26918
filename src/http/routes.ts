import { type Operation, routeOf } from "../core/operation.ts";
import { allMethods } from "./headers.ts";

/** A path of the interface with the operations of its methods. */
export interface Route {
  path: string;
  operations: ReadonlyMap<string, Operation>;
  /** The Allow header: what the path allows at any version (OP-17). */
  allow: string;
}

/** Groups the operations by path. */
export function toRoutes(operations: readonly Operation[]): Route[] {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const { method, path } = routeOf(operation);
    const methods = paths.get(path) ?? new Map<string, Operation>();
    paths.set(path, methods.set(method, operation));
  }
  return [...paths].map(([path, methods]) => ({
    path,
    operations: methods,
    allow: allMethods.filter((method) => methods.has(method)).join(","),
  }));
}
