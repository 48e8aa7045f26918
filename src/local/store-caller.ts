import { nobody } from "../auth/actor.ts";
import { callOperation } from "../core/call-operation.ts";
import type { Caller } from "../core/caller.ts";
import { isDocument } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { toJson } from "../models/versions/serializer.ts";

/** Calls the operations of a whole store, which no server has. */
export function createStoreCaller(service: Service): Caller {
  return {
    async call(operation, { body, dryRun, params, query, version }) {
      const call = { actor: nobody, body: async () => body, dryRun, params, query, version };
      const { value } = await callOperation(service, operation, { ...call, requestId: service.makeUuid() });
      if (isDocument(operation.output)) throw new Error(`${operation.name} answers with a file.`);
      return { kind: "json", text: toJson(operation.output, value, version) };
    },
    close: () => service.store.close(),
  };
}
