import type { Actor } from "../auth/actor.ts";
import { callOperation } from "../core/call-operation.ts";
import type { CallAnswer, Caller, JsonAnswer } from "../core/caller.ts";
import { toEntityTag } from "../core/entity-tag.ts";
import { idOfListed } from "../core/listing.ts";
import { isDocument, type Operation, type PrintedFile } from "../core/operation.ts";
import { parseIfMatch, showsOne } from "../core/precondition.ts";
import type { Service } from "../core/service.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { AnswerModel } from "../models/model.ts";
import { StoredRecord } from "../models/stored-record.ts";
import { toRequestInput } from "../models/versions/index.ts";
import { toJson, toListTexts } from "../models/versions/serializer.ts";

/** Calls operations in this process as a user of the store, with the same checks as over HTTP (OP-82). */
export function createLocalCaller(service: Service, actor: Actor): Caller {
  return {
    async call(operation, { version, dryRun, params, ifMatch, ...sent }): Promise<CallAnswer> {
      // Like a server at this version, a store takes the input in its older form only.
      const input = toRequestInput(operation.name, version, sent);
      const { isRecord, value } = await callOperation(service, operation, {
        actor,
        version,
        requestId: service.makeUuid(),
        params,
        query: input.query,
        body: async () => input.body,
        dryRun,
        ifMatch: ifMatch === undefined ? null : parseIfMatch(ifMatch),
      });
      if (isDocument(operation.output)) return { kind: "file", bytes: (value as PrintedFile).bytes };
      const isTagged = isRecord || showsOne(operation);
      return toAnswer(operation, operation.output, value, version, isTagged);
    },
    close: () => service.store.close(),
  };
}

/** The text is made when it is asked for: a walk through a long list takes the records instead. */
function toAnswer(
  { reads: { listing } }: Operation,
  output: AnswerModel,
  value: unknown,
  version: ApiVersion,
  isTagged: boolean,
): JsonAnswer {
  let text: string | undefined;
  return {
    kind: "json",
    get text() {
      text ??= toJson(output, value, version);
      return text;
    },
    get etag() {
      return isTagged ? toEntityTag(this.text) : null;
    },
    toList() {
      const list = toListTexts(output, value, version);
      if (!list) return null;
      const ids = (value as { results: readonly Listed[] }).results.map((record) =>
        idOfListed(listing, record instanceof StoredRecord ? record.computed : record),
      );
      return { ...list, ids };
    },
  };
}

type Listed = StoredRecord | Readonly<Record<string, unknown>>;
