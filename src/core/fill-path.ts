import type { Operation } from "./operation.ts";

/** The path of a call: the template with its parameters in place. */
export function fillPath(
  { path }: Pick<Operation, "path">,
  params: Readonly<Record<string, string>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}
