import type * as z from "zod";
import type { Part } from "../core/context.ts";
import {
  type CalledPart,
  defineOperation,
  MarkedAnswer,
  type Operation,
  type Preparation,
  routeOf,
} from "../core/operation.ts";
import type { createPathFinder } from "../core/path-finder.ts";
import { DispatchError, failure, throwIfAny, type Violation } from "../errors/errors.ts";
import { BatchModel, BatchResultModel, batchOperationsMax } from "../models/batch.ts";
import { isObject } from "../models/json.ts";
import { createLoopTime } from "../runtime/loop-time.ts";

type BatchOperation = z.output<typeof BatchModel>["operations"][number];

/** Throws operation_not_found and the like. */
type Find = (method: string, path: string) => Promise<CalledPart>;

/** Codes that only the operations of a batch have, not the batch itself. */
const refusedByParts = [
  ...(["operation_not_found", "operation_ended", "method_not_allowed"] as const),
  ...(["unexpected_body", "unknown_reference", "not_for_type", "repeated_value", "too_few"] as const),
  ...(["invalid_date", "not_past", "not_future"] as const),
  ...(["record_not_found", "duplicate_record", "precondition_failed"] as const),
  ...(["limit_reached", "token_exceeds_maker"] as const),
];

/** `loadOperations` loads the served operations. */
export function defineBatch(loadOperations: () => Promise<Operation[]>) {
  const find = createFind(loadOperations);
  return defineOperation({
    name: "batch.run",
    summary: `Run up to ${batchOperationsMax} operations in one transaction: all of them, or none`,
    description:
      "All operations are checked first, and all violations are reported at once; then they run in order. If one is refused, nothing is stored, and the response is its error, whose `field` begins with the operation's position. Reads, file downloads, and calls to other servers are refused (not_in_batch). An operation cannot name a record that an earlier one creates, because its id is not known in advance.",
    route: "POST /batch",
    body: BatchModel,
    output: BatchResultModel,
    // The roles of each operation decide.
    allow: "anyRole",
    changes: {
      writes: "alone",
      parts: (body) => {
        // The body was parsed when the batch ran.
        const { operations } = body as { operations: readonly BatchOperation[] };
        return Promise.all(operations.map(({ method, path }) => find(method, path)));
      },
    },
    extension: true,
    refuses: ["not_in_batch", ...refusedByParts],
    async prepare(preparation, input) {
      const { operations } = input.body as z.output<typeof BatchModel>;
      return { ...input, prepared: await prepareAll(preparation, find, operations) };
    },
    async run(context, { prepared }) {
      const results = [];
      let isSecret = false;
      const letOthersIn = createLoopTime();
      for (const [index, part] of (prepared as Part[]).entries()) {
        await letOthersIn();
        const answer = await part(context).catch((error: unknown) => {
          throw toPlaced(error, index);
        });
        isSecret ||= answer.isSecret;
        results.push({ body: answer.body, headers: { etag: answer.etag }, status: 200 });
      }
      return new MarkedAnswer({ results }, { isSecret });
    },
  });
}

async function prepareAll(
  preparation: Preparation,
  find: Find,
  operations: readonly BatchOperation[],
): Promise<Part[]> {
  const parts: Part[] = [];
  const violations: Violation[] = [];
  const letOthersIn = createLoopTime();
  for (const [index, given] of operations.entries()) {
    await letOthersIn();
    try {
      const { operation, params } = await find(given.method, given.path);
      const texts = { body: given.body ?? undefined, ifMatch: given.if_match ?? null, params };
      parts.push(await preparation.part(operation, { ...texts, query: toTexts(given.query ?? {}) }));
    } catch (error) {
      if (!(error instanceof DispatchError) || error.retryAfterSeconds !== null) throw toPlaced(error, index);
      violations.push(...toPlacedViolations(error, index));
    }
  }
  throwIfAny(violations);
  return parts;
}

function createFind(loadOperations: () => Promise<Operation[]>): Find {
  let finder: Promise<ReturnType<typeof createPathFinder<Map<string, Operation>>>> | undefined;
  const load = async () => {
    // Help needs no router.
    const { createPathFinder } = await import("../core/path-finder.ts");
    const byPath = new Map<string, Map<string, Operation>>();
    for (const operation of await loadOperations()) {
      const { method, path } = routeOf(operation);
      const methods = byPath.get(path) ?? new Map<string, Operation>();
      byPath.set(path, methods.set(method, operation));
    }
    return createPathFinder(byPath);
  };
  return async (method, path) => {
    if (/[?#]/.test(path))
      throw failure("invalid_format", "Give the parameters of the query in query.", "path");
    finder ??= load();
    const found = (await finder)(path);
    if (found instanceof DispatchError)
      throw failure(
        found.code,
        `${found.message} Paths begin with a slash, like /locations/1/jobs/17.`,
        "path",
      );
    const operation = found.value.get(method);
    if (operation) return { operation, params: found.params };
    const methods = [...found.value.keys()].join(", ");
    throw failure("method_not_allowed", `${path} takes ${methods}, not ${method}.`, "method");
  };
}

/** As in a URL. Throws wrong_type. */
function toTexts(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(query).map(([name, value]): [string, string] => {
    if (value === null || isObject(value))
      throw failure("wrong_type", `${name} must be a text, a number or a Boolean.`, `query.${name}`);
    return [name, String(value)];
  });
  return Object.fromEntries(texts);
}

/** Adds the operation's position to its error. */
function toPlaced(error: unknown, index: number): unknown {
  if (!(error instanceof DispatchError)) return error;
  const [first, ...rest] = toPlacedViolations(error, index);
  if (!first) return error;
  return new DispatchError([first, ...rest], {
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}

function toPlacedViolations({ violations }: DispatchError, index: number): Violation[] {
  const place = `BatchModel.operations[${index}]`;
  return violations.map((violation) => {
    const field = violation.field === "if-match" ? "if_match" : violation.field;
    return { ...violation, field: field === null ? place : `${place}.${field}` };
  });
}
