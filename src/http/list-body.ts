import type { ApiVersion } from "../models/api-versions.ts";
import type { AnswerModel } from "../models/model.ts";
import { toJsonBytes, toJsonParts } from "../versions/serializer.ts";
import type { Place } from "./request-queues.ts";
import { createTagger } from "./tagged-answer.ts";

/** So many records of a list are written at once. */
const recordsAtOnceMax = 20;

/** The body of an answer, and its entity tag where that was made on the way. */
export interface WrittenBody {
  body: Buffer;
  etag: string | null;
}

/**
 * Writes an answer as JSON. A long list is written in parts, between which others are let in: a page of 1,000 jobs takes
 * 10 ms and more, for which nobody else would be answered.
 */
export function writeBody(
  model: AnswerModel,
  value: unknown,
  version: ApiVersion,
  place: Pick<Place, "pause">,
): WrittenBody | Promise<WrittenBody> {
  const count = countRecords(value);
  if (count <= recordsAtOnceMax) return { body: toJsonBytes(model, value, version), etag: null };
  return writeInParts(toJsonParts(model, value, version, recordsAtOnceMax), place);
}

async function writeInParts(texts: Iterable<string>, place: Pick<Place, "pause">): Promise<WrittenBody> {
  const tagger = createTagger();
  const parts: Buffer[] = [];
  for (const text of texts) {
    await place.pause();
    const part = Buffer.from(text);
    tagger.add(part);
    parts.push(part);
  }
  await place.pause();
  return { body: Buffer.concat(parts), etag: tagger.tag() };
}

function countRecords(value: unknown): number {
  if (typeof value !== "object" || value === null || !("results" in value)) return 0;
  return Array.isArray(value.results) ? value.results.length : 0;
}
