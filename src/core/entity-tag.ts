import { createHash } from "node:crypto";

/** The content codings that answers are sent in, the better first (RFC 9110, 8.4.1). */
export const codings = ["br", "gzip"] as const;

export type Coding = (typeof codings)[number];

/** A strong validator: equal bytes have equal tags, in every process and after every start (RFC 9110, 8.8.3). */
export function toEntityTag(body: Uint8Array | string): string {
  const tag = new GrowingTag();
  tag.add(body);
  return tag.finish();
}

/** The entity tag of a body that comes in parts: to hash megabytes at once takes as many milliseconds, and more. */
export class GrowingTag {
  readonly #hash = createHash("sha1");

  add(part: Uint8Array | string): void {
    this.#hash.update(part);
  }

  /** Nothing can be added any more. */
  finish(): string {
    return `"${this.#hash.digest("base64url")}"`;
  }
}

/** The entity tag of the same answer in a content coding, which is another representation (RFC 9110, 8.8.3.3). */
export function toCodedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}.${coding}"`;
}

/** The entity tag of the plain answer that one of it in a coding, or in none, belongs to. */
export function toPlainTag(etag: string): string {
  return etag.replace(codedEnd, '"');
}

const codedEnd = new RegExp(`\\.(?:${codings.join("|")})"$`);
