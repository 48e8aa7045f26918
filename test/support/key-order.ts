/** Returns the paths of objects with keys out of alphabetical order, at every level of a JSON value. */
export function findUnsortedKeys(value: unknown, path = "$"): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => findUnsortedKeys(entry, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  const keys = Object.keys(value);
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
  const inner = Object.entries(value).flatMap(([key, entry]) => findUnsortedKeys(entry, `${path}.${key}`));
  return isSorted ? inner : [`${path}: ${keys.join(", ")}`, ...inner];
}
