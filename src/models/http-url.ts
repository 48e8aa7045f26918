const charactersMax = 2048;

/** Returns the rest of a sentence that begins with the field; null for a valid absolute http(s) URL. */
export function findUrlProblem(text: string): string | null {
  if (text.length > charactersMax) return `must have at most ${charactersMax} characters, not ${text.length}`;
  // The URL parser repairs these: it drops tabs, turns \ into /, and drops an empty fragment or user info.
  if (/[\s\\\p{Cc}]/u.test(text)) return "must not contain white space, control characters or backslashes";
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined) return "must start with http:// or https://, followed by a host";
  if (authority.includes("@")) return "must not contain a user name or a password";
  if (text.includes("#")) return "must not contain a fragment (#…)";
  if (!isUrl(text)) return `must have a valid host and port, not ${authority}`;
  return new URL(text).port === "0" ? "must not have the port 0" : null;
}

/** In Node 20, `URL.canParse` fails for Latin-1 text (bücher.example) once V8 has optimized the call. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== "";
  } catch {
    return false;
  }
}
