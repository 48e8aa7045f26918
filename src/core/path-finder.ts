import createRouter from "find-my-way";
import { type DispatchError, failure } from "../errors/errors.ts";
import { pathOf } from "./path-of.ts";

/** What stands at a path, and the values that the path has for the parameters of its template. */
export interface FoundPath<T> {
  value: T;
  params: Record<string, string>;
}

/**
 * Makes what finds the path of an address, with or without a query, among templates such as `/jobs/{job_id}`; the failure
 * says why there is none.
 */
export function createPathFinder<T extends object>(
  entries: Iterable<readonly [path: string, value: T]>,
): (url: string) => DispatchError | FoundPath<T> {
  const router = createRouter({
    ignoreTrailingSlash: true,
    maxParamLength: 16 * 1024,
    // It is found with nothing stored.
    onBadUrl: () => undefined,
    querystringParser: () => ({}),
  });
  // What stands at a path decides which methods the path takes, so the router knows one.
  for (const [path, value] of entries) router.on("GET", toRouterPath(path), () => undefined, value);
  return (url) => {
    const found = router.find("GET", url);
    if (!found) return failure("operation_not_found", `There is no operation at ${pathOf(url)}.`);
    // The router does not know the types of what it stores.
    const value: T | null = found.store;
    if (!value) return failure("malformed_url", "The path has an escape that is not UTF-8.");
    return { value, params: found.params as Record<string, string> };
  };
}

/** A path template in the router's notation: `{id}` becomes `:id`. */
function toRouterPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
