import type { Caller } from "../core/caller.ts";
import type { AnswerOf, CallOptions, Plain, RequestOf } from "../core/exchange.ts";
import type { Operation } from "../core/operation.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { loadOperation, type OperationName, type OperationNamed } from "./index.ts";

/** The operations of a store or a server as typed calls. */
export interface Client {
  /**
   * Calls an operation by its name and loads only that one; also takes an operation that is loaded already. Gives the
   * answer as JSON has it, or the bytes of the file. Throws a DispatchError when the call is refused or the target cannot be reached.
   */
  call<T extends OperationName | Operation>(
    target: T,
    ...request: Arguments<Called<T>>
  ): Promise<AnswerOf<Called<T>>>;

  /** The records of one page of a list; takes operations that answer a list. */
  list<T extends ListName | Operation>(
    target: T,
    ...request: Arguments<Called<T>>
  ): Promise<readonly RecordOf<Called<T>>[]>;
}

/** The operations that answer a page of records. */
type ListName = {
  [Name in OperationName]: AnswerNamed<Name> extends { results: readonly unknown[] } ? Name : never;
}[OperationName];

/** A record of the list that an operation answers. */
type RecordOf<O extends Operation> =
  AnswerOf<O> extends { results: readonly (infer Listed)[] } ? Listed : JsonObject;

/** What a call of the operation of a name takes. */
export type RequestNamed<Name extends OperationName> = RequestOf<OperationNamed<Name>>;

/** What a call of the operation of a name gives. */
export type AnswerNamed<Name extends OperationName> = AnswerOf<OperationNamed<Name>>;

/** The operation that a name or an operation stands for. */
type Called<T extends OperationName | Operation> = T extends OperationName
  ? OperationNamed<T>
  : Extract<T, Operation>;

/** A request that needs nothing may be left out. */
type Arguments<O extends Operation> =
  CallOptions extends RequestOf<O> ? [request?: RequestOf<O>] : [request: RequestOf<O>];

/** Makes a client of a caller, for a store and for a server alike. `defaults` hold for calls that say nothing else. */
export function createClient(caller: Caller, defaults: CallOptions = {}): Client {
  async function call<T extends OperationName | Operation>(
    target: T,
    ...[request]: Arguments<Called<T>>
  ): Promise<AnswerOf<Called<T>>> {
    const operation: Operation = typeof target === "string" ? await loadOperation(target) : target;
    // What the types demand differs from operation to operation; every request is one of these.
    const {
      params = {},
      query = {},
      body,
      version,
      dryRun,
      ifMatch,
    } = (request ?? {}) as RequestOf<Operation>;
    const answer = await caller.call(operation, {
      params: toTexts(params),
      query: toTexts(query),
      body,
      version: version ?? defaults.version ?? newestVersion,
      dryRun: dryRun ?? defaults.dryRun ?? false,
      ...(ifMatch !== undefined && { ifMatch }),
    });
    // A target answers what the operation declares: callers check that it is JSON, or a file, and whole.
    if (answer.kind === "json") return JSON.parse(answer.text) as AnswerOf<Called<T>>;
    return answer.bytes as AnswerOf<Called<T>>;
  }
  return {
    call,
    async list(target, ...request) {
      const answer: object = await call(target, ...request);
      // The types leave no operation that does not answer a list, but one that is known only when the program runs.
      return (answer as { results: RecordOf<Called<typeof target>>[] }).results;
    },
  };
}

function toTexts(fields: Readonly<Record<string, Plain | null | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
