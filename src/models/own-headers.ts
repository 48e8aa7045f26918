import { defineField, refuse } from "./fields.ts";

/** Replaces a header's value for callers who may not see it. Sent back, it keeps the value. */
export const hiddenValue = "***";

const headersMax = 20;
const nameMax = 64;
const valueMax = 1024;
const charactersMax = 4096;

/** Set by the service, or for the connection (RFC 9110, 7.6.1). */
const takenNames = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "x-api-version",
  "x-tenant-id",
]);
const takenPrefixes = ["proxy-", "webhook-", "x-service-"];

// RFC 9110, 5.6.2 and 5.5: a token, and visible ASCII with blanks inside.
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valuePattern = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** Names are in lower case. Values are secret. */
export function ownHeaders() {
  const schema = {
    type: "object",
    additionalProperties: { type: "string", minLength: 1, maxLength: valueMax, pattern: valuePattern.source },
    maxProperties: headersMax,
    propertyNames: { type: "string", maxLength: nameMax, pattern: namePattern.source },
    examples: [{ authorization: "Bearer abc" }],
  };
  return defineField<Record<string, string>>(
    { name: "object", input: schema, output: schema, isSecret: true },
    (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return refuse("wrong_type", 'must be an object of texts, like {"authorization": "Bearer abc"}');
      const problem = findProblem(Object.entries(value));
      if (problem !== null) return refuse("invalid_format", problem);
      // findProblem refuses values that are not text.
      return { value: toLowerCase(value as Record<string, string>) };
    },
  );
}

function findProblem(headers: readonly [name: string, value: unknown][]): string | null {
  if (headers.length > headersMax) return `must have at most ${headersMax} headers, not ${headers.length}`;
  const names = new Set<string>();
  let characters = 0;
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    const problem = findNameProblem(name) ?? (names.has(name) ? "appears twice" : findValueProblem(value));
    if (problem !== null)
      return `must be headers that can be sent: ${JSON.stringify(written.slice(0, nameMax))} ${problem}`;
    names.add(name);
    characters += name.length + String(value).length;
  }
  return characters > charactersMax
    ? `must have at most ${charactersMax} characters in all, not ${characters}`
    : null;
}

function findNameProblem(name: string): string | null {
  if (name.length > nameMax) return `has more than ${nameMax} characters`;
  if (!namePattern.test(name)) return "is not a header name";
  return takenNames.has(name) || takenPrefixes.some((prefix) => name.startsWith(prefix))
    ? "is set by the service or the connection"
    : null;
}

/** The message never repeats a value, which may be secret. */
function findValueProblem(value: unknown): string | null {
  if (typeof value !== "string") return "has a value that is not text";
  if (value.length > valueMax) return `has a value of more than ${valueMax} characters`;
  return valuePattern.test(value)
    ? null
    : "has a value that is empty, begins or ends with a blank, or is not visible ASCII";
}

function toLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
