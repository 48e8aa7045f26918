import type { ApiVersion } from "../models/api-versions.ts";
import type { AnswerModel } from "../models/model.ts";
import { toJsonParts } from "../versions/serializer.ts";
import type { Place } from "./request-queues.ts";

/** So many records of a list are written at once. */
const recordsAtOnceMax = 20;

/**
 * Writes a list of more than 20 records as JSON, in parts between which others are let in: a page of 1,000 jobs takes
 * 10 ms and more, for which nobody else would be answered. null for any other answer.
 */
export function writeLongList(
  model: AnswerModel,
  value: unknown,
  version: ApiVersion,
  place: Pick<Place, "pause">,
): Promise<Buffer> | null {
  if (countRecords(value) <= recordsAtOnceMax) return null;
  return writeInParts(toJsonParts(model, value, version, recordsAtOnceMax), place);
}

async function writeInParts(texts: Iterable<string>, place: Pick<Place, "pause">): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const text of texts) {
    await place.pause();
    parts.push(Buffer.from(text));
  }
  await place.pause();
  return Buffer.concat(parts);
}

function countRecords(value: unknown): number {
  if (typeof value !== "object" || value === null || !("results" in value)) return 0;
  return Array.isArray(value.results) ? value.results.length : 0;
}
