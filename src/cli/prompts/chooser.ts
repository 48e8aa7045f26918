import { type CliContext, canAsk, type OptionValues } from "../context.ts";
import type { Resolving } from "../names/resolve-name.ts";

/** Who is asked which of several records a name means: the person at the terminal; null where there is nobody to ask. */
export function chooserOf(context: CliContext, options: OptionValues): Resolving["choose"] {
  if (!canAsk(context, options)) return null;
  return async (question, likely) => {
    const { chooseNamed } = await import("./choose-named.ts");
    return chooseNamed(context, question, likely);
  };
}
