import { type AnswerNamed, type Client, untyped } from "../../client/client.ts";
import { toPath } from "../../client/exchange.ts";
import { type Operation, routeOf } from "../../core/operation.ts";
import { DispatchError, usageFailure, type Violation } from "../../errors/errors.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import { batchOperationsMax } from "../../models/batch.ts";
import { toRequestInput } from "../../models/versions/index.ts";

import type { CommandInput } from "../input/input.ts";
import type { ParsedCommand } from "./parse.ts";

export type EachOutcome = { id: string; text: string } | { id: string; error: DispatchError };

type Own = NonNullable<ParsedCommand["own"]>;

/** Throws for more records than one transaction accepts. */
export function requireAtOnce({ ids }: Own): void {
  if (ids.length <= batchOperationsMax) return;
  throw usageFailure(
    `--atomic changes ${batchOperationsMax} records at most, not ${ids.length}.`,
    "Name fewer, or leave it out.",
  );
}

/** One transaction: a refused call undoes all, and only refusals are reported. */
export async function* callAtomically(
  client: Client,
  operation: Operation,
  request: CommandInput & { dryRun: boolean; version: ApiVersion },
  { ids, param, records }: Own,
): AsyncGenerator<EachOutcome> {
  const unknown = ids.flatMap((id) => {
    const error = records.get(id)?.error;
    return error ? [{ id, error }] : [];
  });
  if (unknown.length > 0) return yield* unknown;
  const { dryRun, version } = request;
  const operations = ids.map((id) => {
    const params = { ...request.params, ...records.get(id)?.params, [param]: id };
    const { body, query } = toRequestInput(operation.name, version, request);
    // The server checks that the body is an object.
    const sent = { body: (body as Record<string, unknown> | undefined) ?? null, query };
    return {
      ...sent,
      method: routeOf(operation).method as "PATCH",
      path: toPath(operation.name, routeOf(operation), params),
    };
  });
  try {
    const { results } = (await untyped(client).call("batch.run", {
      body: { operations },
      dryRun,
      version,
    })) as AnswerNamed<"batch.run">;
    for (const [index, { body }] of results.entries())
      yield { id: ids[index] ?? "", text: JSON.stringify(body) };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    const refused = toRefused(error, ids);
    if (refused.length === 0) throw error;
    yield* refused;
  }
}

/** As separate calls would report them; empty if the batch itself was refused. */
function toRefused({ violations }: DispatchError, ids: readonly string[]): EachOutcome[] {
  const byId = new Map<string, [Violation, ...Violation[]]>();
  for (const violation of violations) {
    const [, index = "", field = null] = placed.exec(violation.field ?? "") ?? [];
    const id = ids[Number(index)];
    if (index === "" || id === undefined) continue;
    const own = { ...violation, field: field || null };
    const others = byId.get(id);
    if (others) others.push(own);
    else byId.set(id, [own]);
  }
  return [...byId].map(([id, own]) => ({ id, error: new DispatchError(own) }));
}

const placed = /^BatchModel\.operations\[(\d+)\]\.?(.*)$/;
