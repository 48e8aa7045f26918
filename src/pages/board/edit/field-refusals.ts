import { DispatchError } from "../../../errors/dispatch-error.ts";
import { messageOf } from "../../message-of.ts";

/**
 * What the service says against a request, by the first name of the field that it is about; "" for what is about none of
 * those that are shown. `fields` has the names that each of them goes by.
 */
export function toFieldRefusals(
  error: unknown,
  fields: readonly (readonly string[])[],
): ReadonlyMap<string, string> {
  if (!(error instanceof DispatchError)) return new Map([["", messageOf(error)]]);
  const refusals = new Map<string, string>();
  for (const { detail, field } of error.violations) {
    const name = (field ?? "").replace(/^\w+\./, "");
    const [shown = ""] = fields.find((names) => names.includes(name)) ?? [];
    const before = refusals.get(shown);
    refusals.set(shown, before === undefined ? detail : `${before} ${detail}`);
  }
  return refusals;
}
