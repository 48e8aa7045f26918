import type * as z from "zod";
import { isDocument, type Operation } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { AnswerModel, Shape } from "../models/model.ts";
import { recordOf } from "../models/versions/field-paths.ts";
import { requestChangeSince } from "../models/versions/index.ts";
import { sampleOf, sampleRecord } from "../models/versions/sample-record.ts";
import { toJson } from "../models/versions/serializer.ts";

/** A difference between two versions, shown on an example, for all operations with the same difference. */
export interface VersionDifference {
  operations: string[];
  part: "operation" | "request" | "answer";
  before: unknown;
  after: unknown;
}

export function diffVersions(
  operations: readonly Operation[],
  from: ApiVersion,
  to: ApiVersion,
): VersionDifference[] {
  const groups = new Map<string, VersionDifference>();
  for (const operation of operations) {
    const name = operation.name.replace(".", " ");
    for (const difference of diffOperation(operation, from, to)) {
      const key = JSON.stringify(difference);
      const known = groups.get(key);
      if (known) known.operations.push(name);
      else groups.set(key, { operations: [name], ...difference });
    }
  }
  return [...groups.values()];
}

type Difference = Omit<VersionDifference, "operations">;

function diffOperation(operation: Operation, from: ApiVersion, to: ApiVersion): Difference[] {
  const place = operation.route;
  const [isBefore, isAfter] = [from, to].map((version) => version <= (operation.lifetime?.until ?? version));
  if (!isBefore && !isAfter) return [];
  if (isBefore !== isAfter)
    return [{ part: "operation", before: isBefore ? place : null, after: isAfter ? place : null }];
  const parts: Difference[] = [
    { part: "request", before: requestAt(operation, from), after: requestAt(operation, to) },
    { part: "answer", before: answerAt(operation, from), after: answerAt(operation, to) },
  ];
  return parts.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}

/** null if no version changed the input. */
function requestAt(operation: Operation, version: ApiVersion): unknown {
  const change = requestChangeSince("2019/02/08", operation.name);
  if (!change) return null;
  const old = { query: sampleShape(change.before.query), body: sampleShape(change.before.body?.shape ?? {}) };
  const { body, query } = requestChangeSince(version, operation.name) ? old : change.up(old);
  const parts = Object.entries({ body, query });
  return Object.fromEntries(parts.filter(([, part]) => part !== null && Object.keys(part).length > 0));
}

function sampleShape(shape: Shape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sampleOf(field, name)]));
}

/** null for a document. */
function answerAt({ output }: Operation, version: ApiVersion): unknown {
  if (isDocument(output)) return null;
  const model = recordOf(output as AnswerModel) as z.ZodObject<Shape>;
  return JSON.parse(toJson(model, sampleRecord(model), version));
}
