import { createHash } from "node:crypto";
import type { Actor } from "../core/actor.ts";
import type { KeptAnswer, OperationResult } from "../core/operation.ts";
import type { Repeatable } from "../core/repeatable.ts";
import { failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { answersKeptMs } from "../store/queries/idempotency-keys.ts";
import type { HttpRequest } from "./http-messages.ts";

/** 1 to 255 visible ASCII characters. null without the header, and for GET and HEAD. Throws invalid_header. */
export function parseIdempotencyKey({ headers, method }: HttpRequest): string | null {
  const key = headers["idempotency-key"];
  if (key === undefined || method === "GET" || method === "HEAD") return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw failure(
    "invalid_header",
    "Idempotency-Key must be 1 to 255 visible ASCII characters, such as a random UUID, and appear once.",
    "idempotency-key",
  );
}

/** The keys of this process's running requests. */
export class KeysInUse {
  readonly #keys = new Set<string>();

  /** Throws idempotency_key_in_use while another request of the caller has the key. */
  async during<T>({ scope, user }: Actor, key: string, work: () => Promise<T>): Promise<T> {
    const own = `${scope.tenantId} ${user.id} ${key}`;
    if (this.#keys.has(own)) {
      const detail = "A request with this key is still running.";
      throw failure("idempotency_key_in_use", detail, "idempotency-key");
    }
    this.#keys.add(own);
    try {
      return await work();
    } finally {
      this.#keys.delete(own);
    }
  }
}

/** A key that ends in `;ttl=600` is valid for 600 s, others for 24 h. */
function toValidMs(key: string): number {
  const [, seconds] = /;ttl=(\d{1,5})$/.exec(key) ?? [];
  return seconds === undefined ? answersKeptMs : Math.min(Number(seconds) * 1000, answersKeptMs);
}

/** `readBody` may be called several times. */
export function toRepeatable(
  key: string,
  { headers, method, path, query }: HttpRequest,
  { roles, scope }: Actor,
  version: ApiVersion,
  readBody: () => Promise<Uint8Array>,
  toAnswer: (result: OperationResult) => KeptAnswer,
): Repeatable {
  return {
    key,
    validMs: toValidMs(key),
    async fingerprint() {
      const ifMatch = headers["if-match"];
      const condition = ifMatch === undefined ? [] : [ifMatch];
      const rowScopes = scope.rowScopes.map((rows) => JSON.stringify(rows)).sort();
      const asked = JSON.stringify([
        method,
        path,
        query,
        version,
        [...roles].sort(),
        rowScopes,
        ...condition,
      ]);
      return createHash("sha256")
        .update(asked)
        .update("\n")
        .update(await readBody())
        .digest("hex");
    },
    toAnswer,
  };
}
