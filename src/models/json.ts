export type JsonObject = Readonly<Record<string, unknown>>;

/** null equals a missing field, and the order of fields does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}
