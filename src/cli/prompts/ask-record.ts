import { type CliContext, sizeOf } from "../context.ts";
import { cutText } from "../output/fit-text.ts";
import { tell } from "../output/tell.ts";
import type { RecordFinder } from "./find-records.ts";
import type { Prompt } from "./open-prompt.ts";

/** Makes the record that a person has not found by what was typed of it, and gives its id. */
export type MakeRecord = (typed: string) => Promise<number>;

/**
 * Lets a person search for a record and gives its id. The only one there is is taken without asking, unless another one
 * could be made.
 */
export async function askRecord(
  { stderr }: CliContext,
  prompt: Prompt,
  { find, isEmpty, label, only }: RecordFinder,
  make: MakeRecord | null = null,
): Promise<number | string> {
  if (make && isEmpty) return make("");
  if (only && !make) {
    tell(stderr, `${label}: ${only.label}, the only one`);
    return only.id;
  }
  const width = sizeOf(stderr).columns - cursorColumns;
  let typed = "";
  const source = async (term: string | undefined) => {
    typed = term?.trim() ?? "";
    const found = await find(typed);
    const known = found.map((record) => ({ name: cutText(record.label, width), value: record.id }));
    return make ? [...known, { name: `new ${label}`, value: isNew }] : known;
  };
  const { value } = await prompt([
    { type: "search", name: "value", message: `${label} (type to search)`, source, pageSize: 9 },
  ]);
  return make && value === isNew ? make(typed) : value;
}

/** The choice that is no record yet: no id is like it. */
const isNew = "new";

/** What stands before a choice. */
const cursorColumns = 3;
