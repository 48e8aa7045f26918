import type { CliContext, OptionValues } from "../context.ts";
import { isInteractive } from "../context.ts";
import type { Resolving } from "../names/resolve-name.ts";

/** Who is asked which of several records a name means: the person at the terminal; null where there is nobody to ask. */
export function chooserOf(context: CliContext, { body, input }: OptionValues): Resolving["choose"] {
  if (input === false || body === "-" || !isInteractive(context)) return null;
  return async (question, likely) => {
    const { chooseNamed } = await import("./choose-named.ts");
    return chooseNamed(context, question, likely);
  };
}
