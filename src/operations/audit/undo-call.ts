import type { Operation } from "../../core/operation.ts";

/** A call of an operation that takes a change back, or a part of it. */
export interface UndoCall {
  operation: Operation;
  params: Readonly<Record<string, number>>;
  body: Readonly<Record<string, unknown>> | null;
}

/** The fields that the operation can set, as they were. */
export function toSettable({ body }: Operation, before: Readonly<Record<string, unknown>>) {
  const names = Object.keys(before).filter((name) => name !== "last_updated_on" && body?.shape[name]);
  return Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
}
