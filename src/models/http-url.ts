const charactersMax = 2048;

/**
 * What is wrong with an http or https address, as the rest of a sentence that begins with its field; null when nothing
 * is: absolute with a host, no user info, no fragment, no port 0, at most 2048 characters.
 */
export function findUrlProblem(text: string): string | null {
  if (text.length > charactersMax) return `must have at most ${charactersMax} characters, not ${text.length}`;
  // These are looked for in the text because the URL parser mends them: it drops tabs and line ends, turns \ into /,
  // finds a host in http:/x, and forgets an empty fragment or user info.
  if (/[\s\\\p{Cc}]/u.test(text)) return "must not contain white space, control characters or backslashes";
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined) return "must start with http:// or https://, followed by a host";
  if (authority.includes("@")) return "must not contain a user name or a password";
  if (text.includes("#")) return "must not contain a fragment (#…)";
  if (!URL.canParse(text)) return `must have a valid host and port, not ${authority}`;
  return new URL(text).port === "0" ? "must not have the port 0" : null;
}
