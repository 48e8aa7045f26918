import createRouter from "find-my-way";
import { type DispatchError, failure } from "../errors/errors.ts";
import { pathOf } from "./path-of.ts";

export interface FoundPath<T> {
  value: T;
  params: Record<string, string>;
}

/** Finds paths by templates such as `/jobs/{job_id}`. Returns an error for an unknown path. */
export function createPathFinder<T extends object>(
  entries: Iterable<readonly [path: string, value: T]>,
): (url: string) => DispatchError | FoundPath<T> {
  const router = createRouter({
    ignoreTrailingSlash: true,
    maxParamLength: 16 * 1024,
    // The router then finds a route without a value.
    onBadUrl: () => undefined,
    querystringParser: () => ({}),
  });
  // The entry of a path decides about methods, so the router knows only GET.
  for (const [path, value] of entries) router.on("GET", toRouterPath(path), () => undefined, value);
  return (url) => {
    const found = router.find("GET", url);
    if (!found) return failure("operation_not_found", `There is no operation at ${pathOf(url)}.`);
    // The router does not type its values.
    const value: T | null = found.store;
    if (!value) return failure("malformed_url", "The path has an escape that is not UTF-8.");
    return { value, params: found.params as Record<string, string> };
  };
}

function toRouterPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
