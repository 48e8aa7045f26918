import type { Matched } from "../../records/match-names.ts";
import type { CliContext } from "../context.ts";
import type { NamedRecord } from "../names/named-record.ts";
import { cutText, openScreen } from "../output/screen.ts";
import { toVisible } from "../output/text.ts";
import { openPrompt } from "./open-prompt.ts";

/** Lets a person choose one of the records that a name may mean. */
export async function chooseNamed(
  context: CliContext,
  message: string,
  likely: readonly Matched<NamedRecord>[],
): Promise<NamedRecord> {
  const width = (context.stderr.columns ?? 80) - cursorColumns;
  const labels = likely.map(({ record: { id, names } }) => toVisible([...names, `id ${id}`].join(" · ")));
  const screen = await openScreen(labels.join(""), { isTerminal: true, width, colour: false });
  const choices = likely.map(({ record }, index) => ({
    name: cutText(labels[index] ?? "", width, screen),
    value: record,
  }));
  const { value } = await openPrompt(context)([
    { type: "select", name: "value", message: toVisible(message), choices, pageSize: 9 },
  ]);
  return value;
}

/** What stands before a choice. */
const cursorColumns = 3;
