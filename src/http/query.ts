import type { Violation } from "../errors/errors.ts";

export interface ParsedQuery {
  values: Record<string, string>;
  /** Repeated names, and escapes that are not UTF-8. */
  violations: Violation[];
}

/** The caller reports the violations, because the order of checks decides when. */
export function parseQuery(query: string): ParsedQuery {
  const values = new Map<string, string>();
  const violations: Violation[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? "" : decode(pair.slice(at + 1));
    if (name === null || value === null) {
      const detail = "The query has an escape that is not UTF-8.";
      violations.push({ code: "malformed_url", detail, field: name });
      continue;
    }
    if (values.has(name)) {
      violations.push({
        code: "repeated_parameter",
        detail: `${name} is given more than once.`,
        field: name,
      });
    }
    values.set(name, value);
  }
  return { values: Object.fromEntries(values), violations };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
