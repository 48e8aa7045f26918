import type { CallOptions, Exchange } from "./call-types.ts";
import type { AnyOperation, ApiVersion } from "./wire.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A request of an operation whose name is known only at run time. */
export type UntypedRequest = AnyOperation["input"] & CallOptions & { version?: ApiVersion | undefined };

/** An answer of an operation whose name is known only at run time. */
export interface UntypedExchange extends Exchange<unknown> {
  bytes: Uint8Array;
}

/** A page of a list that is read to its end. */
export interface WalkedPage {
  records: readonly JsonObject[];
  /** The place where the next page begins; null where a list has pages by number only. */
  after: string | null;
}

/** The calls of a client by names that are known only at run time. */
export interface UntypedClient {
  call(name: string, request?: UntypedRequest): Promise<unknown>;
  exchange(name: string, request?: UntypedRequest): Promise<UntypedExchange>;
  /** The records of one page of a list. */
  list(name: string, request?: UntypedRequest): Promise<readonly JsonObject[]>;
  pages(name: string, request?: UntypedRequest): AsyncGenerator<JsonObject, void, undefined>;
  /** The records of `pages`, a page at a time. */
  walk(name: string, request?: UntypedRequest): AsyncGenerator<WalkedPage, void, undefined>;
}
