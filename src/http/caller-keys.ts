import { LRUCache } from "lru-cache";
import type { DispatchError } from "../errors/errors.ts";
import type { IncomingRequest } from "./http-request.ts";

/** How many callers are known by what they send. */
const knownMax = 10_000;

/** The headers of who says a number with a thousand zeros before it are not kept. */
const claimLengthMax = 256;

/**
 * Says in whose queue a request waits. What a request says of its caller is believed once it was found to be good; until
 * then, and when it no longer is, the request waits with all others from its address.
 */
export class CallerKeys {
  readonly #known = new LRUCache<string, string>({ max: knownMax });

  keyOf(request: Pick<IncomingRequest, "client" | "headers">): string {
    return this.#known.get(toClaim(request)) ?? `address ${request.client.address}`;
  }

  /** The request's caller acts in the tenant. */
  learn(request: Pick<IncomingRequest, "headers">, tenantId: number): void {
    const claim = toClaim(request);
    if (claim.length > claimLengthMax || this.#known.has(claim)) return;
    this.#known.set(claim, `tenant ${tenantId}`);
  }

  /** A caller who was refused for who it is, or for its tenant, is not believed any more. */
  noteRefusal(request: Pick<IncomingRequest, "headers">, { code }: DispatchError): void {
    if (code === "unauthenticated" || code === "tenant_not_accessible") this.#known.delete(toClaim(request));
  }
}

export function isTenantKey(key: string): boolean {
  return key.startsWith("tenant ");
}

/** No header's value has a line break. */
function toClaim({ headers }: Pick<IncomingRequest, "headers">): string {
  return `${headers.authorization}\n${headers["x-tenant-id"]}`;
}
