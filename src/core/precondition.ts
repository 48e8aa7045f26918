import { createHash } from "node:crypto";
import { failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { AnswerModel } from "../models/model.ts";
import { holdsSecretValue } from "../models/shows-secret.ts";
import { toJsonBytes } from "../models/versions/serializer.ts";
import type { Context } from "./context.ts";
import { isDocument, type Operation, type OperationInput } from "./operation.ts";

/** The record must exist (`*`), or have one of these entity tags. */
export type IfMatch = "*" | readonly string[];

/** Parses If-Match (RFC 9110, 13.1.1). The comparison is strong: weak tags match nothing. Throws invalid_header. */
export function parseIfMatch(header: string): IfMatch {
  const text = header.trim();
  if (text === "*") return "*";
  const tags = text.split(",").map((part) => part.trim());
  // Our tags have no commas, so a tag with a comma (8.8.3) is refused.
  if (tags.every((tag) => entityTag.test(tag))) return tags;
  throw failure(
    "invalid_header",
    `If-Match must be * or entity tags in quotes, as the ETag of an answer has them; not ${JSON.stringify(text.slice(0, 100))}.`,
    "if-match",
  );
}

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Throws invalid_header for an operation without a record to compare. */
export function checkComparable(operation: Operation): void {
  if (changesRecord(operation)) return;
  const detail = `${operation.name} does not change a record with an entity tag; send it without If-Match.`;
  throw failure("invalid_header", detail, "if-match");
}

/** Whether the operation changes one readable record of its path. */
export function changesRecord({ changes: { record }, params }: Operation): boolean {
  return record !== undefined && Object.keys(record.params).every((param) => param in params);
}

export function showsOne({ effect, output, route }: Operation): boolean {
  return effect === "read" && route.endsWith("}") && !isDocument(output);
}

/** Whether the response has the form of a read. */
export function answersRecord({ changes: { record }, output }: Operation): boolean {
  return record?.output === output;
}

/** Throws record_not_found or precondition_failed. Locks the record until the transaction ends. */
export async function requireMatch(
  context: Context,
  operation: Operation,
  { params }: OperationInput,
  ifMatch: IfMatch,
  version: ApiVersion,
): Promise<void> {
  const { lock, record } = operation.changes;
  if (!record) return;
  // Before the lock, an operation with "rows" may change the record.
  await lock?.(context.store, params);
  const shown = await showRecord(context, record, params, version);
  if (ifMatch === "*") return;
  const etag = toEntityTag(shown);
  if (ifMatch.some((tag) => toRecordTag(tag) === etag)) return;
  const detail = `The record has changed: its entity tag is ${etag} now. Nothing was changed.`;
  throw failure("precondition_failed", detail, "if-match");
}

/** Whether a write's response equals a read. They differ for a secret: only the write that creates it returns it. */
export async function isRecordOf(
  context: Context,
  operation: Operation,
  { params }: OperationInput,
  value: unknown,
  version: ApiVersion,
): Promise<boolean> {
  const { changes, output } = operation;
  const { record } = changes;
  if (!record || isDocument(output) || !answersRecord(operation)) return false;
  if (!holdsSecretValue(output, value)) return true;
  const ownId = Object.keys(record.params).find((param) => !(param in params));
  // The response for a new record has its ID.
  const made = ownId === undefined ? {} : { [ownId]: (value as { id: unknown }).id };
  const shown = await showRecord(context, record, { ...params, ...made }, version);
  return shown.equals(toJsonBytes(output, value, version));
}

export async function showRecord(
  context: Context,
  record: Operation,
  params: OperationInput["params"],
  version: ApiVersion,
): Promise<Buffer> {
  const own = Object.fromEntries(Object.keys(record.params).map((param) => [param, params[param]]));
  const value = await record.run(context, { params: own, query: {}, body: null });
  return toJsonBytes(modelOf(record), value, version);
}

function modelOf({ name, output }: Operation): AnswerModel {
  if (isDocument(output)) throw new Error(`${name} shows no record but a file.`);
  return output;
}

/** The best first (RFC 9110, 8.4.1). */
export const codings = ["br", "gzip"] as const;

export type Coding = (typeof codings)[number];

/** A strong validator: equal bytes have equal tags in every process (RFC 9110, 8.8.3). */
export function toEntityTag(body: Uint8Array | string): string {
  const tag = new GrowingTag();
  tag.add(body);
  return tag.finish();
}

/** Hashes a body in parts, because hashing megabytes at once would block the thread for milliseconds. */
export class GrowingTag {
  readonly #hash = createHash("sha1");

  add(part: Uint8Array | string): void {
    this.#hash.update(part);
  }

  finish(): string {
    return `"${this.#hash.digest("base64url")}"`;
  }
}

/** A compressed response is another representation with its own tag (RFC 9110, 8.8.3.3). */
export function toCodedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}.${coding}"`;
}

export function toPlainTag(etag: string): string {
  return etag.replace(codedEnd, '"');
}

/** An answer with chosen fields is another representation too. It keeps the record's tag for If-Match. */
export function toPartTag(etag: string, part: Uint8Array | string): string {
  return `${etag.slice(0, -1)}.${toEntityTag(part).slice(1, 9)}"`;
}

const toRecordTag = (etag: string) => toPlainTag(etag).replace(/\.[\w-]{8}"$/, '"');

const codedEnd = new RegExp(`\\.(?:${codings.join("|")})"$`);
