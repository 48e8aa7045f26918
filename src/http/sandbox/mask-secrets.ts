/** Stands in place of a secret. */
export const mask = "***";

/**
 * The names of fields and parameters that hold secrets; a test compares them with the models. All values of `headers` are
 * hidden: a webhook's own headers hold what its receiver knows it by.
 */
const secretName = /password|secret|(?:^|_)tokens?$|access_token|authorization|api[-_]?key|^headers$/i;

/** A JSON text with its secrets masked; throws for any other text. */
export function maskJson(text: string): string {
  return JSON.stringify(
    JSON.parse(text, (name, value: unknown) => (secretName.test(name) ? hide(value) : value)),
  );
}

/** The names of an object's fields stay: who looks for a fault needs them. */
function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== "object" || value === null) return typeof value === "string" ? mask : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)]));
}

/** An address whose query has its secrets masked. */
export function maskQuery(address: URL): URL {
  const masked = new URL(address);
  for (const name of address.searchParams.keys())
    if (secretName.test(name)) masked.searchParams.set(name, mask);
  return masked;
}
