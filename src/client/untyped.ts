import type { CallOptions, Exchange } from "./call-types.ts";
import type { AnyOperation, ApiVersion } from "./wire.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export type UntypedRequest = AnyOperation["input"] & CallOptions & { version?: ApiVersion | undefined };

export interface UntypedExchange extends Exchange<unknown> {
  bytes: Uint8Array;
}

export interface WalkedPage {
  records: readonly JsonObject[];
  /** The start of the next page; null for a list with page numbers only. */
  after: string | null;
}

export interface UntypedClient {
  call(name: string, request?: UntypedRequest): Promise<unknown>;
  exchange(name: string, request?: UntypedRequest): Promise<UntypedExchange>;
  pages(name: string, request?: UntypedRequest): AsyncGenerator<JsonObject, void, undefined>;
  /** Like `pages`, but a page at a time. */
  walk(name: string, request?: UntypedRequest): AsyncGenerator<WalkedPage, void, undefined>;
}
