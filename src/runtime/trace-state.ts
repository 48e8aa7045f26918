const membersMax = 32;
const lengthMax = 512;
/** A list that is too long drops longer members first. */
const shortLengthMax = 128;

const key = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const value = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * The members of a `tracestate` header (W3C Trace Context, 3.3) within 512 characters: a longer list drops its long
 * members, and then its last ones. null for an empty or invalid list.
 */
export function parseTraceState(header: string): string | null {
  const members = header
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  const keys = members.map((member) => member.slice(0, Math.max(0, member.indexOf("="))));
  const isValid = members.every((member, at) => {
    const name = keys[at] ?? "";
    return key.test(name) && value.test(member.slice(name.length + 1));
  });
  if (!isValid || members.length > membersMax || new Set(keys).size < keys.length) return null;
  const isLong = members.join(",").length > lengthMax;
  const kept = isLong ? members.filter((member) => member.length <= shortLengthMax) : members;
  while (kept.join(",").length > lengthMax) kept.pop();
  return kept.length === 0 ? null : kept.join(",");
}
