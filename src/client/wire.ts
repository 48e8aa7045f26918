import type * as z from "zod";
import type { AnswerOf, Plain, RequestOf } from "../core/exchange.ts";
import type { ErrorCode as KnownErrorCode } from "../errors/errors.ts";
import type { ApiVersion, newestVersion } from "../models/api-versions.ts";
import type { eventModels } from "../models/event.ts";
import type { Role as KnownRole } from "../models/user.ts";
import type { OperationName, OperationNamed } from "../operations/index.ts";
import type { Method, WireOperation } from "./call-types.ts";

/*
 * What the types of the library say of the service. In the source they come from the models and know the newest shapes only;
 * the package has a file of the same names instead, which the build writes from the documents of every version
 * (typings/to-wire-declarations.ts).
 */

export type { ApiVersion };

/** The version of a client that names none. */
export type NewestVersion = typeof newestVersion;

export type Role = KnownRole;

/** The code of an error; servers that are newer may send others. */
export type ErrorCode = KnownErrorCode | (string & Record<never, never>);

/** What each operation takes and answers at a version, by its name. */
export type OperationsAt<V extends ApiVersion> = V extends ApiVersion
  ? { [Name in OperationName]: TypesOf<OperationNamed<Name>> }
  : never;

type TypesOf<O extends OperationNamed<OperationName>> = {
  input: Omit<RequestOf<O>, "dryRun" | "ifMatch" | "version">;
  answer: AnswerOf<O>;
};

/** The operations as methods of their nouns, each under its own name and in camel case. */
export type Nouns<Operations> = {
  [Noun in NounOf<keyof Operations> as Noun | Camel<Noun>]: {
    [Verb in VerbOf<keyof Operations, Noun> as Verb | Camel<Verb>]: Method<Operations, `${Noun}.${Verb}`>;
  };
};

type NounOf<Name> = Name extends `${infer Noun}.${string}` ? Noun : never;
type VerbOf<Name, Noun extends string> = Name extends `${Noun}.${infer Verb}` ? Verb : never;
type Camel<Word extends string> = Word extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Word;

/** The facts of each operation, by its name. */
export type Operations = {
  readonly [Name in OperationName]: {
    readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    readonly path: string;
    readonly roles: readonly Role[];
    readonly summary: string;
    readonly effect: "read" | "write" | "delete" | "call";
  };
};

/** The events that webhooks are told of at a version, by their kind. */
export type EventsAt<V extends ApiVersion> = {
  [Kind in keyof typeof eventModels]: {
    type: Kind;
    api_version: V;
    action: string;
    data: z.output<(typeof eventModels)[Kind]>;
    id: string;
    previous?: Partial<z.output<(typeof eventModels)[Kind]>> | null;
    tenant_id: number;
    timestamp: string;
  };
};

/** Any operation, for who learns its name when the program runs. */
export interface AnyOperation extends WireOperation {
  input: {
    params?: Readonly<Record<string, Plain>> | undefined;
    query?: Readonly<Record<string, Plain | null | undefined>> | undefined;
    body?: unknown;
  };
}
