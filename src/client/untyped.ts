import type { CallOptions, Exchange } from "./call-types.ts";
import type { AnyOperation, ApiVersion } from "./wire.ts";

/** A request, when its operation is known only as the program runs. */
export type UntypedRequest = AnyOperation["input"] & CallOptions & { version?: ApiVersion | undefined };

/** An answer, when its operation is known only as the program runs. */
export interface UntypedExchange extends Exchange<unknown> {
  bytes: Uint8Array;
}

/** The calls of a client for who learns the names of operations when the program runs. */
export interface UntypedClient {
  call(name: string, request?: UntypedRequest): Promise<unknown>;
  exchange(name: string, request?: UntypedRequest): Promise<UntypedExchange>;
}
