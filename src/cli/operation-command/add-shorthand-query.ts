import { failure } from "../../errors/errors.ts";
import type { OptionValues } from "../context.ts";
import type { Presentation } from "../presentation/presentation.ts";

/** Adds to a query what options such as --active stand for. Throws a usage error for two that contradict each other. */
export function addShorthandQuery(
  { shorthands = {} }: Presentation,
  options: OptionValues,
  query: Record<string, string>,
): void {
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
