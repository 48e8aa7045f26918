import { readFileSync } from "node:fs";
import type * as z from "zod";
import { fieldKinds } from "../../src/models/fields.ts";
import type { Shape } from "../../src/models/model.ts";
import { unwrap } from "../../src/models/parse.ts";
import { sqlite } from "./databases.ts";
import type { Harness } from "./harness.ts";

/** Texts that say nothing of a person, by field: what a new field is unless somebody writes it here. */
const impersonal = ["country", "scale_ticket", "dropped_number", "removed_number", "add_to_routes"];

/** Fills every text of a model that is not given with a word that is found again; how a number, an e-mail or an address looks, it keeps. */
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

/** Which marks the store holds past the program, in whatever column of whatever table. */
export function findMarks(harness: Harness, marks: readonly string[]): string[] {
  const kept = JSON.stringify(harness.store.contents());
  return marks.filter((mark) => kept.includes(mark));
}

/** Which marks the bytes of a closed SQLite file hold; of other databases nothing is known. */
export async function findMarksInFile(harness: Harness, marks: readonly string[]): Promise<string[]> {
  if (harness.database !== sqlite) return [];
  await harness.service.store.close();
  const bytes = readFileSync(harness.store.data, "latin1");
  return marks.filter((mark) => bytes.includes(mark));
}
