import type { Actor } from "../auth/actor.ts";
import { callOperation } from "../core/call-operation.ts";
import type { CallAnswer, Caller } from "../core/caller.ts";
import { isDocument, type PrintedFile } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { toRequestInput } from "../versions/index.ts";
import { toJson } from "../versions/serializer.ts";

/** Calls operations in this process as a user of the store, with the same checks as over HTTP (OP-82). */
export function createLocalCaller(service: Service, actor: Actor): Caller {
  return {
    async call(operation, { version, dryRun, params, ...sent }): Promise<CallAnswer> {
      // Like a server at this version, a store takes the input in its older form only.
      const input = toRequestInput(operation.name, version, sent);
      const { value } = await callOperation(service, operation, {
        actor,
        version,
        requestId: service.makeUuid(),
        params,
        query: input.query,
        body: async () => input.body,
        dryRun,
      });
      if (isDocument(operation.output)) return { kind: "file", ...(value as PrintedFile) };
      return { kind: "json", text: toJson(operation.output, value, version) };
    },
    close: () => service.store.close(),
  };
}
