import { toJson } from "../models/versions/serializer.ts";
import { nobody } from "./actor.ts";
import { callOperation, type OperationCall } from "./call-operation.ts";
import { isDocument, type Operation } from "./operation.ts";
import type { Service } from "./service.ts";

/** Calls an operation on a whole store, which no server offers. Returns JSON text. */
export async function callInStore(
  service: Service,
  { name, output, ...operation }: Operation,
  { body, version, ...request }: Omit<OperationCall, "actor" | "body" | "requestId"> & { body: unknown },
): Promise<string> {
  if (isDocument(output)) throw new Error(`${name} answers with a file.`);
  const call = { ...request, actor: nobody, body: async () => body, requestId: service.makeUuid(), version };
  const { value } = await callOperation(service, { ...operation, name, output }, call);
  return toJson(output, value, version);
}
