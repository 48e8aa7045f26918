import { kindOfList } from "../../records/find-kind.ts";
import type { OptionValues } from "../context.ts";
import type { OutputOptions } from "../output/options.ts";
import type { Presentation } from "../presentation/presentation.ts";

/**
 * On a terminal, asks a list for what is still to be done, unless the command line says which states it wants (OP-238).
 * Gives how the answer is shown: its note says so.
 */
export function keepOpen(
  name: string,
  { beginsOpen }: Presentation,
  options: OptionValues,
  query: Record<string, string>,
  output: OutputOptions | null,
): OutputOptions | null {
  if (!beginsOpen || !output?.isTerminal || output.form !== "table" || options.allStates === true)
    return output;
  if (beginsOpen.unless.some((parameter) => parameter in query)) return output;
  Object.assign(query, kindOfList(name)?.openQuery);
  return { ...output, remark: "still to be done; --all-states shows all" };
}
