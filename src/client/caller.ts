import type { CallAnswer, Caller } from "../core/caller.ts";
import { isDocument } from "../core/operation.ts";
import { type Client, untyped } from "./client.ts";

/** The calls of a client for those that have the declarations of what they call. */
export function createCaller(client: Client, close: () => Promise<void> = async () => undefined): Caller {
  return {
    async call(operation, request): Promise<CallAnswer> {
      const { bytes, etag } = await untyped(client).exchange(operation.name, request);
      if (isDocument(operation.output)) return { kind: "file", bytes };
      return { kind: "json", text: new TextDecoder().decode(bytes), etag };
    },
    close,
  };
}
