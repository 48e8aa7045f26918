import type { Expression } from "kysely";
import type { ListParameter } from "./compiled.ts";
import type { RowScope } from "./row-scopes.ts";

/** A value in a query, or the place of one. */
export type Operand<T> = T | Expression<T>;

/** A row scope as queries compare rows with it. */
export type ScopeOperands =
  | { kind: "tenant" }
  | { kind: "location"; locationId: Operand<number> }
  | { kind: "customers"; customerIds: ListParameter<number> }
  | { kind: "driver"; driverId: Operand<number>; userId: Operand<number> }
  | { kind: "hauler"; haulerId: Operand<string> };

/** Makes operands of the values of scopes, which it is handed in a fixed order. */
export interface OperandBinder {
  value<T extends number | string>(value: T): Operand<T>;
  list<T>(values: readonly T[]): ListParameter<T>;
}

/** The operands of a scope. The id of a hauler is compared in small letters. */
export function toScopeOperands(scope: RowScope, bind: OperandBinder): ScopeOperands {
  switch (scope.kind) {
    case "tenant":
      return scope;
    case "location":
      return { kind: scope.kind, locationId: bind.value(scope.locationId) };
    case "customers":
      return { kind: scope.kind, customerIds: bind.list(scope.customerIds) };
    case "driver":
      return { kind: scope.kind, driverId: bind.value(scope.driverId), userId: bind.value(scope.userId) };
    case "hauler":
      return { kind: scope.kind, haulerId: bind.value(scope.haulerId.toLowerCase()) };
  }
}
