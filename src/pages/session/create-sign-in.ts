import { type Signal, signal } from "@preact/signals";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import { createTrying, messageOf, type Trying } from "./keep-trying.ts";
import {
  keepCredentials,
  loadCredentials,
  openSession,
  type Patience,
  readTenants,
  type Session,
  type Tenant,
} from "./session.ts";

/** A service that does not answer who has been signed in. */
export interface Away {
  failures: number;
  since: Timestamp;
  why: string;
}

/** Signing in, step by step. */
export interface SignIn {
  /** null unless what the tab has kept is tried in vain. */
  away: Signal<Away | null>;
  /** Whether an answer is waited for. */
  isBusy: Signal<boolean>;
  /** Whether the service refuses the token of the session. The page stays, and its user signs in again over it. */
  isExpired: Signal<boolean>;
  /** Another user, who has signed in over the page of an expired session; null while there is none. */
  other: Signal<Session | null>;
  /** Whether what the tab has kept is still of use, as far as is known. */
  isResuming: Signal<boolean>;
  session: Signal<Session | null>;
  /** Those to choose among, once a token reaches several. */
  tenants: Signal<readonly Tenant[] | null>;
  /** Why somebody is not signed in; empty at first. */
  why: Signal<string>;
  hurry: Trying["hurry"];
  /** Goes on with what the tab has kept, as soon as the service answers (OP-405). */
  resume(): Promise<void>;
  submitToken(token: string): Promise<void>;
  submitTenant(tenantId: number): Promise<void>;
  /** Goes on as the other user, on a new page, or (false) asks for another token. */
  answerOther(isWanted: boolean): void;
  signOut(): void;
}

/** Nobody is signed in yet. */
export function createSignIn(): SignIn {
  const kept = loadCredentials();
  const told = createTold(kept !== null);
  const { away, isBusy, isResuming, other, tenants, why } = told;
  const { hurry, keepTrying } = createTrying();
  const begin = createTurns();
  const signOut = () => {
    begin();
    keepCredentials(null);
    show(null);
    isBusy.value = false;
    isResuming.value = false;
    tenants.value = null;
    why.value = "";
  };
  const { enter, enterOne, setToken, show } = createEntering(told, signOut);
  const doing = async (act: (own: AbortSignal) => Promise<void>) => {
    const own = begin();
    isBusy.value = true;
    why.value = "";
    await act(own).catch((error: unknown) => {
      if (own.aborted) return;
      why.value = describe(error);
      // What is good no more is not kept; who cannot be reached may know it still.
      if (error instanceof DispatchError && error.status === 401) keepCredentials(null);
    });
    if (own.aborted) return;
    isBusy.value = false;
    isResuming.value = false;
  };
  return {
    ...told,
    answerOther(isWanted) {
      if (isWanted) show(other.value);
      else other.value?.end();
      other.value = null;
    },
    hurry,
    resume: () =>
      doing(async (own) => {
        if (!kept) return;
        setToken(kept.token);
        const tellFailure = (error: unknown) => {
          const { failures, since } = away.value ?? { failures: 0, since: systemClock.now() };
          away.value = { failures: failures + 1, since, why: describe(error) };
          isBusy.value = false;
        };
        const attempt = () => {
          isBusy.value = true;
          return enterOne(own, kept.tenantId, resumingPatience);
        };
        await keepTrying(attempt, tellFailure, own);
      }),
    signOut,
    submitTenant: (tenantId) =>
      doing(async (own) => {
        const chosen = tenants.value?.find(({ id }) => id === tenantId);
        if (chosen) await enter(chosen, own);
      }),
    submitToken: (given) =>
      doing((own) => {
        setToken(given);
        return enterOne(own, null);
      }),
  };
}

/** Opens sessions with a token, and shows one of them. */
function createEntering(told: ReturnType<typeof createTold>, signOut: () => void) {
  const { isExpired, other, session, tenants, why } = told;
  let token = "";
  const show = (opened: Session | null) => {
    if (session.value !== opened) session.value?.end();
    session.value = opened;
    isExpired.value = false;
    other.value = null;
    if (opened) keepCredentials({ token, tenantId: opened.tenant.id });
  };
  const enter = async (tenant: Tenant, own: AbortSignal, patience?: Patience) => {
    const onExpiry = (reason: string) => {
      if (session.value !== opened) return;
      keepCredentials(null);
      isExpired.value = true;
      why.value = reason;
    };
    const opened = await openSession(token, tenant, { onExpiry, signOut }, patience);
    own.throwIfAborted();
    const before = session.value;
    if (before && before.user !== opened.user) other.value = opened;
    else if (before) {
      opened.end();
      before.renew(token);
      show(before);
    } else show(opened);
  };
  const enterOne = async (own: AbortSignal, beforeId: number | null, patience?: Patience) => {
    const reached = await readTenants(token, patience);
    own.throwIfAborted();
    const { tenant } = session.value ?? {};
    if (tenant) {
      if (reached.some(({ id }) => id === tenant.id)) return enter(tenant, own, patience);
      throw new Error(`This token does not reach ${tenant.name}, which is open here.`);
    }
    const chosen = choose(reached, beforeId);
    if (chosen) return enter(chosen, own, patience);
    if (beforeId !== null) why.value = "This token does not reach the tenant any more that was open here.";
    tenants.value = reached;
  };
  const setToken = (given: string) => {
    token = given;
  };
  return { enter, enterOne, setToken, show };
}

const createTold = (isResuming: boolean) => ({
  away: signal<Away | null>(null),
  isBusy: signal(false),
  isExpired: signal(false),
  other: signal<Session | null>(null),
  isResuming: signal(isResuming),
  session: signal<Session | null>(null),
  tenants: signal<readonly Tenant[] | null>(null),
  why: signal(""),
});

/** Begins something: what was begun before has no say any more, whenever it is answered. */
function createTurns(): () => AbortSignal {
  let turn = new AbortController();
  return () => {
    turn.abort();
    turn = new AbortController();
    return turn.signal;
  };
}

/** The tenant that was open before, else the only one; null where somebody has to choose. */
function choose(reached: readonly Tenant[], beforeId: number | null): Tenant | null {
  if (reached.length === 0) throw new Error("This token reaches no tenant.");
  const [only, ...others] = beforeId === null ? reached : reached.filter(({ id }) => id === beforeId);
  return only && others.length === 0 ? only : null;
}

/** What is tried again and again needs no other retries, which would only tell later that nobody answers. */
const resumingPatience: Patience = { retries: 0, timeoutMs: 20_000 };

/** Errors of the service say what to do; what a browser throws without an answer does not. */
function describe(error: unknown): string {
  if (error instanceof TypeError && /token/.test(error.message))
    return "This is no access token; copy it whole, without quotes.";
  return messageOf(error);
}
