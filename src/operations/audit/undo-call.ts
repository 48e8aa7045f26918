import type { Context } from "../../core/context.ts";
import type { Operation } from "../../core/operation.ts";

/** A call that takes a change back, or a part of it. */
export interface UndoCall {
  /** Whose roles may make it. */
  operation: Operation;
  run(context: Context): Promise<unknown>;
}

/** The call of an operation with its input. */
export function toOperationCall(
  operation: Operation,
  params: Readonly<Record<string, number>>,
  body: Readonly<Record<string, unknown>> | null,
): UndoCall {
  return { operation, run: (context) => operation.run(context, { body, params, query: {} }) };
}

/** The fields that the operation can set, as they were. */
export function toSettable({ body }: Operation, before: Readonly<Record<string, unknown>>) {
  const names = Object.keys(before).filter((name) => name !== "last_updated_on" && body?.shape[name]);
  return Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
}
