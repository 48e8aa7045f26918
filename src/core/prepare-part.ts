import { failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { holdsSecretValue } from "../models/shows-secret.ts";
import { toJsonBytes } from "../models/versions/serializer.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Actor } from "./actor.ts";
import type { Change } from "./change.ts";
import { checkCall } from "./check-call.ts";
import { toEntityTag } from "./entity-tag.ts";
import { isDocument, isRepeatable, type Operation, type Preparation } from "./operation.ts";
import { parseInput } from "./parse-input.ts";
import type { Part, PartTexts } from "./part.ts";
import { isRecordOf, parseIfMatch, requireMatch } from "./precondition.ts";
import type { Service } from "./service.ts";

interface WholeCall {
  actor: Actor;
  version: ApiVersion;
  dryRun?: boolean;
  countPart?: (() => void) | undefined;
}

/** Checks like `callOperation`. Returns a function that runs the part in the transaction of the whole call. */
export async function preparePart(
  service: Service,
  whole: WholeCall,
  now: Timestamp,
  operation: Operation,
  { body, ifMatch: header, params, query }: PartTexts,
): Promise<Part> {
  const { actor, version, dryRun = false } = whole;
  whole.countPart?.();
  const { output } = operation;
  if (isDocument(output) || !mayBePart(operation)) throw notInBatch(operation.name);
  const ifMatch = header === null ? null : parseIfMatch(header);
  checkCall(operation, { actor, version, dryRun, ifMatch });
  service.usage.note(actor, operation.name, version);
  const parsed = await parseInput(operation, { body: async () => body, params, query, version }, now);
  const input = operation.prepare
    ? await operation.prepare(toPreparation(service, whole, operation), parsed)
    : parsed;
  return async (wholeContext) => {
    const changed = (change: Change) => wholeContext.changed({ ...change, operation });
    const context = { ...wholeContext, changed };
    if (ifMatch) await requireMatch(context, operation, input, ifMatch, version);
    const value = await operation.run(context, input);
    const isRecord = !dryRun && (await isRecordOf(context, operation, input, value, version));
    const bytes = toJsonBytes(output, value, version);
    // The model of a write is an object.
    const body = JSON.parse(bytes.toString()) as JsonObject;
    return { body, etag: isRecord ? toEntityTag(bytes) : null, isSecret: holdsSecretValue(output, value) };
  };
}

export function mayBePart(operation: Operation): boolean {
  return isRepeatable(operation) && operation.changes.writes !== "alone" && !operation.ofServer;
}

const notInBatch = (name: string) =>
  failure("not_in_batch", `${name} cannot be part of a batch; call it alone.`);

/** A task in a thread would make the other parts wait too long. */
function toPreparation(service: Service, { actor: { scope } }: WholeCall, { name }: Operation): Preparation {
  const refuse = async () => {
    throw notInBatch(`${name} with this input`);
  };
  return {
    part: refuse,
    read: (work) => service.store.read(scope, work),
    runTask: refuse,
    service,
    waitForWriters: () => service.store.database.waitForWriters(scope.tenantId),
  };
}
