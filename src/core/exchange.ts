import type * as z from "zod";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import type { AnswerModel, Shape } from "../models/model.ts";
import type { DeepReadonly } from "../models/model-value.ts";
import type { Operation } from "./operation.ts";

/** What may stand in a path or a query; it is sent as text. */
export type Plain = string | number | boolean;

/**
 * What a call of an operation takes, typed by its declaration in the newest form: required parameters and bodies are
 * required. Query parameters that are null or undefined are not sent. An operation whose name is not known at compile
 * time takes any fields.
 */
export type RequestOf<O extends Operation> = O extends Operation
  ? ParamsOf<O["params"]> & QueryOf<O["query"]> & BodyOf<O["body"]> & CallOptions
  : never;

/** What a call may ask for besides its input. */
export interface CallOptions {
  /** The shape of the answer; by default the newest, which is what the types describe. */
  version?: ApiVersion | undefined;
  /** All checks, nothing stored. */
  dryRun?: boolean | undefined;
  /** The entity tag that the record must have for it to be changed. */
  ifMatch?: string | undefined;
}

/**
 * What a call of an operation gives: the record or the list as JSON has it in the newest shape, or the file. For an
 * operation whose name is not known at compile time it is an object with any fields.
 */
export type AnswerOf<O extends Operation> = O extends Operation
  ? Operation["output"] extends O["output"]
    ? JsonObject
    : O["output"] extends AnswerModel
      ? z.output<O["output"]>
      : Uint8Array
  : never;

type ParamsOf<P extends Shape> = keyof P extends never
  ? { params?: undefined }
  : string extends keyof P
    ? { params?: Readonly<Record<string, Plain>> | undefined }
    : { params: { readonly [K in keyof P]: Plain } };

type QueryOf<Q extends Shape> = keyof Q extends never
  ? { query?: undefined }
  : RequiredNames<Q> extends never
    ? { query?: QueryFields<Q> | undefined }
    : { query: QueryFields<Q> };

type QueryFields<Q extends Shape> = string extends keyof Q
  ? Readonly<Record<string, Plain | null | undefined>>
  : { readonly [K in RequiredNames<Q>]: Plain } & {
      readonly [K in Exclude<keyof Q, RequiredNames<Q>>]?: Plain | null | undefined;
    };

/** An open shape requires nothing. */
type RequiredNames<Q extends Shape> = string extends keyof Q
  ? never
  : { [K in keyof Q]: Q[K] extends z.ZodOptional ? never : K }[keyof Q];

type BodyOf<B extends z.ZodObject<Shape> | null> = [B] extends [null]
  ? { body?: undefined }
  : B extends z.ZodObject<Shape>
    ? { body: DeepReadonly<z.output<B>> }
    : { body?: unknown };
