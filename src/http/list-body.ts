import { GrowingTag } from "../core/entity-tag.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { AnswerModel } from "../models/model.ts";
import { toJsonParts } from "../models/versions/serializer.ts";
import type { Place } from "./request-queues.ts";

/** So much of a list is written at once: some milliseconds' work, also where records are long. */
const atOnce = { records: 20, characters: 64 * 1024 };

/** A list as JSON, with its entity tag. */
export interface WrittenList {
  body: Buffer;
  etag: string;
}

/**
 * Writes a list of more than 20 records as JSON, in parts between which others are let in: a page of 1,000 jobs takes
 * 10 ms and more, for which nobody else would be answered. null for any other answer.
 */
export function writeLongList(
  model: AnswerModel,
  value: unknown,
  version: ApiVersion,
  place: Pick<Place, "pause">,
): Promise<WrittenList> | null {
  if (countRecords(value) <= atOnce.records) return null;
  return writeInParts(toJsonParts(model, value, version, atOnce), place);
}

async function writeInParts(texts: Iterable<string>, place: Pick<Place, "pause">): Promise<WrittenList> {
  const tag = new GrowingTag();
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const text of texts) {
    await place.pause();
    const part = Buffer.from(text);
    tag.add(part);
    parts.push(part);
    bytes += part.length;
  }
  // Not Buffer.concat: the system gives the memory as it is written, which takes long for tens of megabytes.
  const body = Buffer.allocUnsafe(bytes);
  let end = 0;
  for (const part of parts) {
    await place.pause();
    end += part.copy(body, end);
  }
  return { body, etag: tag.finish() };
}

function countRecords(value: unknown): number {
  if (typeof value !== "object" || value === null || !("results" in value)) return 0;
  return Array.isArray(value.results) ? value.results.length : 0;
}
