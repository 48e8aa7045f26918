/** Kept for the tab. Unlike a cookie, the browser never sends it automatically. */
export interface Credentials {
  token: string;
  tenantId: number | null;
}

const storageKey = "dispatch-cli session";

/** null for missing or damaged data. */
export function loadCredentials(): Credentials | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    const { tenantId, token } = Object(kept) as Partial<Credentials>;
    return typeof token === "string" ? { token, tenantId: Number(tenantId) || null } : null;
  } catch {
    return null;
  }
}

/** null forgets the token. Without storage, the page asks again after each load. */
export function keepCredentials(credentials: Credentials | null): void {
  try {
    if (credentials) sessionStorage.setItem(storageKey, JSON.stringify(credentials));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // The browser may block storage.
  }
}
