import { LRUCache } from "lru-cache";
import type { DispatchError } from "../errors/errors.ts";
import type { IncomingRequest } from "./http-messages.ts";

const knownMax = 10_000;

/** A client could send a number with a thousand leading zeros. */
const claimLengthMax = 256;

/** A request's queue is its client address until its headers have identified a caller once. */
export class CallerKeys {
  readonly #known = new LRUCache<string, string>({ max: knownMax });

  keyOf(request: Pick<IncomingRequest, "client" | "headers">): string {
    return this.#known.get(toClaim(request)) ?? `address ${request.client.address}`;
  }

  learn(request: Pick<IncomingRequest, "headers">, tenantId: number): void {
    const claim = toClaim(request);
    if (claim.length > claimLengthMax || this.#known.has(claim)) return;
    this.#known.set(claim, `tenant ${tenantId}`);
  }

  noteRefusal(request: Pick<IncomingRequest, "headers">, { code }: DispatchError): void {
    if (code === "unauthenticated" || code === "tenant_not_accessible") this.#known.delete(toClaim(request));
  }
}

export function isTenantKey(key: string): boolean {
  return key.startsWith("tenant ");
}

function toClaim({ headers }: Pick<IncomingRequest, "headers">): string {
  return `${headers.authorization}\n${headers["x-tenant-id"]}`;
}
