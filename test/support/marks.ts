import { readFileSync } from "node:fs";
import type * as z from "zod";
import { fieldKinds } from "../../src/models/fields.ts";
import type { Shape } from "../../src/models/model.ts";
import { unwrap } from "../../src/models/parse.ts";
import { sqlite } from "./databases.ts";
import type { Harness } from "./harness.ts";

/** Fields whose text never describes a person. A new field counts as personal unless it is listed here. */
const impersonal = ["country", "scale_ticket", "dropped_number", "removed_number", "add_to_routes"];

/**
 * Fills each text of a model that `given` lacks with a unique word. Numbers, e-mails, and addresses keep their
 * format.
 */
export function toMarked(model: z.ZodObject<Shape>, marks: string[], given: object): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(model.shape)) {
    if (name in given) continue;
    const kind = fieldKinds.get(unwrap(field));
    const { examples, format, maxLength = 0, pattern } = (kind?.input ?? {}) as Record<string, unknown>;
    if (kind?.name !== "text" || impersonal.includes(name) || format === "uuid") continue;
    const number = String(7_430_000 + marks.length);
    const looks = String(examples ?? "");
    const mark = looks.includes("@")
      ? `zebra${number}@example.com`
      : looks.includes("://") || pattern !== undefined
        ? `https://example.com/zebra${number}`
        : Number(maxLength) < 16
          ? number
          : `zebra${number}`;
    marks.push(looks.includes("@") || mark.length < 12 ? mark : `zebra${number}`);
    filled[name] = mark;
  }
  return { ...filled, ...given };
}

/** Returns the marks found in any column of any table of the store. */
export function findMarks(harness: Harness, marks: readonly string[]): string[] {
  const kept = JSON.stringify(harness.store.contents());
  return marks.filter((mark) => kept.includes(mark));
}

/** Returns the marks found in the bytes of a closed SQLite file. On other databases it returns none. */
export async function findMarksInFile(harness: Harness, marks: readonly string[]): Promise<string[]> {
  if (harness.database !== sqlite) return [];
  await harness.service.store.close();
  const bytes = readFileSync(harness.store.data, "latin1");
  return marks.filter((mark) => bytes.includes(mark));
}
