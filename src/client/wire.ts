import type * as z from "zod";
import type { ErrorCode as KnownErrorCode } from "../errors/errors.ts";
import type { ApiVersion, newestVersion } from "../models/api-versions.ts";
import type { EventCause, eventModels } from "../models/event.ts";
import type { AnswerModel, Shape } from "../models/model.ts";
import type { DeepReadonly } from "../models/model-value.ts";
import type { Role as KnownRole } from "../models/user.ts";
import type { OperationName, OperationNamed } from "../operations/index.ts";
import type { Method, WireOperation } from "./call-types.ts";

/*
 * The types of the interface. In the source they come from the models and describe the newest version only. The package has
 * a file with the same names, which the build writes from the documents of every version
 * (typings/to-wire-declarations.ts).
 */

export type { ApiVersion };

/** The default version of a client. */
export type NewestVersion = typeof newestVersion;

export type Role = KnownRole;

/** The code of an error; a newer server may send others. */
export type ErrorCode = KnownErrorCode | (string & Record<never, never>);

export type OperationsAt<V extends ApiVersion> = V extends ApiVersion
  ? { [Name in OperationName]: TypesOf<OperationNamed<Name>> }
  : never;

/** The operations that a batch can have; in the package, these only. */
export type BatchName = OperationName;

type TypesOf<O extends OperationNamed<OperationName>> = {
  input: ParamsOf<O["params"]> & QueryOf<O["query"]> & BodyOf<O["body"]>;
  answer: O["output"] extends AnswerModel ? z.output<O["output"]> : Uint8Array;
};

type Plain = string | number | boolean;

type ParamsOf<P extends Shape> = keyof P extends never
  ? { params?: undefined }
  : { params: { readonly [K in keyof P]: Plain } };

/** Reads take `fields`. The types of the answers contain all fields nevertheless. */
type QueryOf<Q extends Shape> = keyof Q extends never
  ? { query?: QueryFields<Q> | undefined }
  : RequiredNames<Q> extends never
    ? { query?: QueryFields<Q> | undefined }
    : { query: QueryFields<Q> };

/** The client does not send parameters that are null or undefined. */
type QueryFields<Q extends Shape> = { readonly [K in RequiredNames<Q>]: Plain } & {
  readonly [K in Exclude<keyof Q, RequiredNames<Q>> | "fields"]?: Plain | null | undefined;
};

type RequiredNames<Q extends Shape> = { [K in keyof Q]: Q[K] extends z.ZodOptional ? never : K }[keyof Q];

type BodyOf<B extends z.ZodObject<Shape> | null> =
  B extends z.ZodObject<Shape> ? { body: DeepReadonly<z.output<B>> } : { body?: undefined };

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

export type Operations = {
  readonly [Name in OperationName]: {
    readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    readonly path: string;
    readonly roles: readonly Role[];
    readonly summary: string;
    readonly effect: "read" | "write" | "delete" | "call";
  };
};

/** By kind. */
export type EventsAt<V extends ApiVersion> = {
  [Kind in keyof typeof eventModels]: {
    type: Kind;
    api_version: V;
    action: string;
    cause?: EventCause | null;
    data: z.output<(typeof eventModels)[Kind]>;
    id: string;
    previous?: Partial<z.output<(typeof eventModels)[Kind]>> | null;
    tenant_id: number;
    timestamp: string;
  };
};

export interface AnyOperation extends WireOperation {
  input: {
    params?: Readonly<Record<string, Plain>> | undefined;
    query?: Readonly<Record<string, Plain | null | undefined>> | undefined;
    body?: unknown;
  };
}
