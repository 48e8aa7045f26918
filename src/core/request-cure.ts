import type { OperationCure, RequestCure } from "../errors/cure.ts";
import { type Operation, routeOf } from "./operation.ts";

/** The path keeps `{name}` where the cure has no value. */
export function toRequestCure(
  operation: Pick<Operation, "route">,
  { body, params = {}, query = {} }: OperationCure,
): RequestCure {
  const { method, path } = routeOf(operation);
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    params[name] === undefined ? placeholder : encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { ...(body && { body }), method, path: search.size === 0 ? filled : `${filled}?${search}` };
}
