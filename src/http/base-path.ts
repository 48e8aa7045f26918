/** They are asked for by who watches the server itself, past the proxy that knows its base path. */
const rootPaths: readonly string[] = ["/healthz", "/readyz", "/metrics"];

/**
 * The address as the server knows it, without the base path that stands before it (OP-322); null for one that is not below
 * it. Pages for monitoring are found at the root too.
 */
export function pathBelow(base: string, url: string): string | null {
  if (base === "") return url;
  if (url.startsWith(base)) {
    const rest = url.slice(base.length);
    if (rest.startsWith("/")) return rest;
    if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  }
  return rootPaths.some((path) => url === path || url.startsWith(`${path}?`)) ? url : null;
}
