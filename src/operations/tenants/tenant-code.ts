import { failure } from "../../errors/errors.ts";
import type { AccountQueries } from "../../store/queries/accounts.ts";
import { foldCase } from "../../store/queries/match-key.ts";

/** Whether two codes name the same tenant: letter case does not count. */
export function isSameCode(a: string, b: string): boolean {
  return toKey(a) === toKey(b);
}

const toKey = (code: string) => foldCase(code.normalize("NFKC"));

/** Refuses a code that another tenant has; `field` is where it was sent. */
export async function requireFreeCode(
  accounts: AccountQueries,
  code: string | null,
  ownId: number | null,
  field: string,
): Promise<void> {
  if (code === null) return;
  // All of them, because databases fold letters beyond ASCII each in its own way; a store has few.
  const tenants = await accounts.tenants();
  const other = tenants.find(
    ({ id, code: taken }) => id !== ownId && taken !== null && isSameCode(taken, code),
  );
  if (!other) return;
  const detail = `Tenant ${other.id} (${other.name}) has the code ${other.code} already.`;
  throw failure("duplicate_record", detail, field);
}
