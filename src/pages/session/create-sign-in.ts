import { type Signal, signal } from "@preact/signals";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import { keepCredentials, loadCredentials } from "./credentials.ts";
import { createTrying, messageOf, type Trying } from "./keep-trying.ts";
import {
  exchangeLink,
  openSession,
  type Patience,
  readTenants,
  type Session,
  type Tenant,
} from "./session.ts";

/** The service does not answer a signed-in user. */
export interface Away {
  failures: number;
  since: Timestamp;
  why: string;
}

export interface SignIn {
  /** Set while the page retries the kept token. */
  away: Signal<Away | null>;
  isBusy: Signal<boolean>;
  /** The token is refused. The page stays open, and its user signs in again over it. */
  isExpired: Signal<boolean>;
  /** A different user signed in over an expired session. */
  other: Signal<Session | null>;
  /** The page tries the token that the tab has kept. */
  isResuming: Signal<boolean>;
  session: Signal<Session | null>;
  /** The choices, if the token reaches several tenants. */
  tenants: Signal<readonly Tenant[] | null>;
  why: Signal<string>;
  hurry: Trying["hurry"];
  resume(): Promise<void>;
  submitToken(token: string): Promise<void>;
  submitTenant(tenantId: number): Promise<void>;
  /** Continues as the other user on a new page, or (false) asks for another token. */
  answerOther(isWanted: boolean): void;
  signOut(): void;
}

export function createSignIn(): SignIn {
  const link = takeLink();
  const kept = link === null ? loadCredentials() : null;
  const told = createTold(link !== null || kept !== null);
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
      // Forgets a refused token. A token that the page could not check may be valid.
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
        if (!link && !kept) return;
        let token = kept?.token;
        const tellFailure = (error: unknown) => {
          const { failures, since } = away.value ?? { failures: 0, since: systemClock.now() };
          away.value = { failures: failures + 1, since, why: describe(error) };
          isBusy.value = false;
        };
        const attempt = async () => {
          isBusy.value = true;
          token ??= await exchangeLink(link ?? "");
          setToken(token);
          await enterOne(own, kept?.tenantId ?? null, resumingPatience);
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

/** Takes the link from the address, so that neither history nor a copied address has it. */
function takeLink(): string | null {
  const [, link] = /^#sign-in=([\w.-]+)$/.exec(location.hash) ?? [];
  if (!link) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return link;
}

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
      throw new Error(`This token has no access to ${tenant.name}, which is open here.`);
    }
    const chosen = choose(reached, beforeId);
    if (chosen) return enter(chosen, own, patience);
    if (beforeId !== null) why.value = "This token no longer has access to this tenant.";
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

/** Each call aborts the previous call's signal. */
function createTurns(): () => AbortSignal {
  let turn = new AbortController();
  return () => {
    turn.abort();
    turn = new AbortController();
    return turn.signal;
  };
}

/** The previous tenant, otherwise the only one; null if the user must choose. */
function choose(reached: readonly Tenant[], beforeId: number | null): Tenant | null {
  if (reached.length === 0) throw new Error("This token cannot access any tenant.");
  const [only, ...others] = beforeId === null ? reached : reached.filter(({ id }) => id === beforeId);
  return only && others.length === 0 ? only : null;
}

/** The loop retries. Retries of the client would only delay the report of a failure. */
const resumingPatience: Patience = { retries: 0, timeoutMs: 20_000 };

/** The message of a TypeError does not help the user. */
function describe(error: unknown): string {
  if (error instanceof TypeError && /token/.test(error.message))
    return "This is not an access token. Copy all of it, without quotes.";
  return messageOf(error);
}
