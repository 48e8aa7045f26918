import { remember } from "../store/access/memories.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { AuthService } from "./tokens.ts";

const entriesMax = 10_000;

/**
 * Remembers tokens and members until a shared record changes: the next request sees a revoked token or a lost role, on
 * other servers of a PostgreSQL within a second. Checks the expiry at each request. A PostgreSQL that is 10 ms away
 * would otherwise need 20 ms for each request.
 */
export function rememberCallers({ clock, store }: { clock: StoreClock; store: Store }): AuthService {
  const { accounts } = store;
  const readRevision = () => store.database.sharedRevision();
  return {
    clock,
    store: {
      accounts: {
        findMember: remember(readRevision, accounts.findMember, entriesMax),
        findToken: remember(readRevision, accounts.findToken, entriesMax),
        tenantsOf: accounts.tenantsOf,
      },
    },
  };
}
