import type { Caller } from "../core/caller.ts";
import type { Operation } from "../core/operation.ts";
import { DispatchError, errorKind } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../versions/change.ts";

/** Calls an operation for its JSON answer; its parameters are picked out of `fields` by their names. */
export async function callJson(
  caller: Caller,
  operation: Operation,
  fields: JsonObject,
  body?: JsonObject,
): Promise<JsonObject> {
  const params = Object.keys(operation.params).map((name) => [name, String(fields[name])]);
  const answer = await caller.call(operation, {
    body,
    dryRun: false,
    params: Object.fromEntries(params),
    query: {},
    version: newestVersion,
  });
  return answer.kind === "json" ? (JSON.parse(answer.text) as JsonObject) : {};
}

/** What is wrong with one record only, in a line: the others can go on. Throws again what ends the work. */
export function toRefusal(error: unknown): string {
  if (!(error instanceof DispatchError)) throw error;
  if (![400, 404, 409, 413].includes(errorKind(error.code).status ?? 0)) throw error;
  return error.violations.map(({ detail }) => detail).join(" ");
}
