/** Stands in place of a secret. */
export const mask = "***";

/** The names of fields and parameters that hold secrets; a test compares them with the models. */
export const secretName = /password|secret|(?:^|_)tokens?$|access_token|authorization|api_?key/i;

/** A JSON text with its secrets masked; throws for any other text. */
export function maskJson(text: string): string {
  return JSON.stringify(JSON.parse(text, (name, value: unknown) => (hides(name, value) ? mask : value)));
}

function hides(name: string, value: unknown): boolean {
  return typeof value === "string" && secretName.test(name);
}

/** An address whose query has its secrets masked. */
export function maskQuery(address: URL): URL {
  const masked = new URL(address);
  for (const [name, value] of address.searchParams)
    if (hides(name, value)) masked.searchParams.set(name, mask);
  return masked;
}
