import { remember } from "../store/access/remember.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { AuthService } from "./tokens.ts";

/** How many tokens, and how many memberships, a server remembers. */
const entriesMax = 10_000;

/**
 * Remembers tokens and members while no token, user or tenant changes, whoever changes it: a token that is revoked and a
 * user who loses a role are found out by the very next request. Whether a token has expired is judged at each request.
 */
export function rememberCallers({ clock, store }: { clock: StoreClock; store: Store }): AuthService {
  const { accounts } = store;
  const readRevision = () => store.revision(null);
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
