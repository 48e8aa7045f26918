import { failure, throwIfAny, type Violation } from "../errors.ts";

/**
 * Reads the query part of an address. Throws repeated_parameter for a name that stands twice (OP-9) and malformed_url
 * for escapes that are no UTF-8.
 */
export function parseQuery(query: string): Record<string, string> {
  const values = new Map<string, string>();
  const violations: Violation[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [name = "", ...value] = pair.split("=").map(decode);
    if (values.has(name)) {
      violations.push({
        code: "repeated_parameter",
        detail: `${name} is given more than once.`,
        field: name,
      });
    }
    values.set(name, value.join("="));
  }
  throwIfAny(violations);
  return Object.fromEntries(values);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    throw failure("malformed_url", "The address has an escape that is no UTF-8 text.", null, error);
  }
}
