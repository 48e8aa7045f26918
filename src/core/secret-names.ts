/** Fields of records whose value is a secret: no audit row, event or kept answer holds one. */
export const secretNames: ReadonlySet<string> = new Set([
  "old_secret",
  "password",
  "password_hash",
  "secret",
  "secret_hash",
  "token",
]);

/** Whether an answer shows a secret. */
export function showsSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, field]) => secretNames.has(name) && field !== null);
}
