import { failure } from "../errors/errors.ts";
import type { Operation } from "./operation.ts";

/** The path of a call: the template with its parameters in place. */
export function fillPath(
  { path }: Pick<Operation, "path">,
  params: Readonly<Record<string, string>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    // In an address they lead to another path, in whatever form they are written (WHATWG URL, 4.3).
    if (value === "." || value === "..") throw failure("invalid_text", `${name} cannot be "${value}".`, name);
    return encodeURIComponent(value);
  });
}
