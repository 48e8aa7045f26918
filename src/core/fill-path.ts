import { failure } from "../errors/errors.ts";
import { type Operation, routeOf } from "./operation.ts";

/** The path of a call: the template with its parameters in place. */
export function fillPath(
  operation: Pick<Operation, "route">,
  params: Readonly<Record<string, string>>,
): string {
  return routeOf(operation).path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    // In an address they lead to another path, in whatever form they are written (WHATWG URL, 4.3).
    if (value === "." || value === "..") throw failure("invalid_text", `${name} cannot be "${value}".`, name);
    return encodeURIComponent(value);
  });
}
