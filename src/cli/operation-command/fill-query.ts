import { failure } from "../../errors/errors.ts";
import type { OptionValues } from "../context.ts";
import type { Presentation } from "../presentation/presentation.ts";

/**
 * Makes of a list's query what the command line means: adds what options such as --active stand for, and looks for a part of
 * a name, whatever form the answer has and wherever it comes from (OP-224). Throws a usage error for two options that
 * contradict each other.
 */
export function fillQuery(
  { partly, shorthands = {} }: Presentation,
  options: OptionValues,
  query: Record<string, string>,
): void {
  const words = partly === undefined ? undefined : query[partly];
  if (partly !== undefined && words && options.exact !== true && !words.includes("*"))
    query[partly] = `*${words}*`;
  for (const [name, shorthand] of Object.entries(shorthands)) {
    if (options[name] !== true) continue;
    for (const [field, value] of Object.entries(shorthand.query)) {
      const other = query[field];
      if (other !== undefined && other !== value) {
        throw failure(
          "usage",
          `--${name} means ${field} ${value}, and another option says ${field} ${other}.`,
        );
      }
      query[field] = value;
    }
  }
}
