import { type CliContext, sizeOf } from "../context.ts";
import { cutText, openScreen } from "../output/screen.ts";
import { tell } from "../output/tell.ts";
import type { RecordFinder } from "./find-records.ts";
import type { Prompt } from "./open-prompt.ts";

/** Lets a person search for a record and gives its id; takes the only one there is without asking. */
export async function askRecord(
  { stderr }: CliContext,
  prompt: Prompt,
  { find, label, only }: RecordFinder,
): Promise<number | string> {
  if (only) {
    tell(stderr, `${label}: ${only.label}, the only one`);
    return only.id;
  }
  const width = sizeOf(stderr).columns - cursorColumns;
  const source = async (term: string | undefined) => {
    const found = await find(term ?? "");
    const text = found.map((record) => record.label).join("");
    const screen = await openScreen(text, { isTerminal: true, width, colour: false });
    return found.map((record) => ({ name: cutText(record.label, width, screen), value: record.id }));
  };
  const { value } = await prompt([
    { type: "search", name: "value", message: `${label} (type to search)`, source, pageSize: 9 },
  ]);
  return value;
}

/** What stands before a choice. */
const cursorColumns = 3;
