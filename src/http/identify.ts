import { type Actor, nobody } from "../core/actor.ts";
import type { LoginAttempts } from "../core/login-attempts.ts";
import type { Operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import {
  type AuthService,
  authenticate,
  type Credential,
  toHomeActor,
  toTenantActor,
} from "../core/tokens.ts";
import { DispatchError } from "../errors/errors.ts";
import { remember } from "../store/access/memories.ts";
import type { Token } from "../store/queries/tokens.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import { parseTenantId } from "./headers.ts";
import type { HttpRequest } from "./http-messages.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Over the network the token's user; on a local store the acting user. */
export type Identify = (
  request: HttpRequest,
  operation: Pick<Operation, "allow">,
  credential?: Credential,
) => Promise<Identity>;

export interface Identity {
  actor(): Promise<Actor>;
  /** Reads the actor again without counting a request. Throws if the token or the access to the tenant has ended. */
  again(): Promise<Actor>;
  countPart?: () => void;
  /** null for public operations. */
  token: Token | null;
}

/** Public operations ignore the caller's headers. */
export const anybody: Identity = { actor: async () => nobody, again: async () => nobody, token: null };

/** Counts invalid tokens and requests of valid ones. Invalid tokens never block the address's valid ones. */
export function identifyByToken(
  service: Service,
  attempts?: LoginAttempts,
  rateLimits?: RateLimits,
): Identify {
  const known = rememberCallers(service);
  return async ({ client, headers }, operation, credential) => {
    const token = await authenticate(known, headers.authorization, credential).catch((error: unknown) => {
      // A request without a token is not a login attempt.
      const isGuess = error instanceof DispatchError && headers.authorization !== undefined;
      if (isGuess && error.code === "unauthenticated") attempts?.count(client.address ?? "");
      throw error;
    });
    client.isKnown = true;
    client.token = token;
    rateLimits?.take(token.id, client);
    const toCaller = (shown: Token) =>
      operation.allow === "token"
        ? toHomeActor(known, shown)
        : toTenantActor(known, shown, parseTenantId(headers["x-tenant-id"]));
    return {
      actor: () => toCaller(token),
      again: async () => toCaller(await authenticate(known, headers.authorization, credential)),
      ...(rateLimits && { countPart: () => rateLimits.owe(token.id, client) }),
      token,
    };
  };
}

const entriesMax = 10_000;

/** Caches tokens and members until shared rows change. On other servers, a revocation counts within a second. */
function rememberCallers({ clock, store }: { clock: StoreClock; store: Store }): AuthService {
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
