import type { Actor } from "./actor.ts";
import type { CallAnswer, Caller } from "./caller.ts";
import { callOperation, isDocument, type PrintedFile } from "./operation.ts";
import type { Service } from "./service.ts";
import { toRequestInput } from "./versions/index.ts";
import { toJson } from "./versions/walk.ts";

/** Calls operations in this process as a user of the store; the same checks as over HTTP (OP-82). */
export function createLocalCaller(service: Service, actor: Actor): Caller {
  return {
    async call(operation, { version, dryRun, params, ...sent }): Promise<CallAnswer> {
      // A server at this version would take the input in its older form only; so does a store.
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
