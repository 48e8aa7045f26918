import { createHash } from "node:crypto";

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

const codedEnd = new RegExp(`\\.(?:${codings.join("|")})"$`);
