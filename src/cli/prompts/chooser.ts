import { type CliContext, canAsk, type OptionValues, sizeOf } from "../context.ts";
import { toChoice } from "../names/record-finder.ts";
import type { Resolving } from "../names/resolve-name.ts";
import { cutText } from "../output/fit-text.ts";
import { toVisible } from "../output/text.ts";

/** null without a terminal. */
export function chooserOf(context: CliContext, options: OptionValues): Resolving["choose"] {
  if (!canAsk(context, options)) return null;
  return async (question, likely) => {
    const { openPrompt } = await import("./open-prompt.ts");
    const width = sizeOf(context.stderr).columns - cursorColumns;
    const choices = likely.map(({ record }) => ({ name: cutText(toChoice(record), width), value: record }));
    return openPrompt(context).select({ message: toVisible(question), choices, pageSize: 9 });
  };
}

const cursorColumns = 3;
