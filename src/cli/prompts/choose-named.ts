import type { Matched } from "../../records/match-names.ts";
import type { CliContext } from "../context.ts";
import type { NamedRecord } from "../names/named-record.ts";
import { cutText } from "../output/fit-text.ts";
import { toVisible } from "../output/text.ts";
import { openPrompt } from "./open-prompt.ts";

/** Lets a person choose one of the records that a name may mean. */
export async function chooseNamed(
  context: CliContext,
  message: string,
  likely: readonly Matched<NamedRecord>[],
): Promise<NamedRecord> {
  const width = (context.stderr.columns ?? 80) - cursorColumns;
  const choices = likely.map(({ record }) => ({
    name: cutText(toVisible([...record.names, `id ${record.id}`].join(" · ")), width),
    value: record,
  }));
  const { value } = await openPrompt(context)([
    { type: "select", name: "value", message: toVisible(message), choices, pageSize: 9 },
  ]);
  return value;
}

/** What stands before a choice. */
const cursorColumns = 3;
