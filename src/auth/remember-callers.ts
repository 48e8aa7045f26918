import { remember } from "../store/access/memories.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { AuthService } from "./tokens.ts";

/** How many tokens, and how many memberships, a server remembers. */
const entriesMax = 10_000;

/**
 * Remembers tokens and members while none of them changes: a token that is revoked and a user who loses a role are found
 * out by the very next request, on other servers of a PostgreSQL within a second. Whether a token has expired is
 * judged at each request. On a PostgreSQL that is 10 ms away, each of the two questions would take that long.
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
