import { type Signal, signal } from "@preact/signals";
import { DispatchError } from "../../library/dispatch-error.ts";
import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import { messageOf } from "../message-of.ts";
import { createTrying, type Trying } from "./keep-trying.ts";
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
  signOut(why?: string): void;
}

/** Nobody is signed in yet. */
export function createSignIn(): SignIn {
  const kept = loadCredentials();
  const told = createTold(kept !== null);
  const { away, isBusy, isResuming, session, tenants, why } = told;
  const { hurry, keepTrying } = createTrying();
  let token = "";
  const begin = createTurns();
  const signOut = (reason = "") => {
    begin();
    keepCredentials(null);
    isBusy.value = false;
    isResuming.value = false;
    session.value = null;
    tenants.value = null;
    why.value = reason;
  };
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
  const enter = async (tenant: Tenant, own: AbortSignal, patience?: Patience) => {
    const opened = await openSession(token, tenant, (reason) => own.aborted || signOut(reason), patience);
    own.throwIfAborted();
    session.value = opened;
    keepCredentials({ token, tenantId: tenant.id });
  };
  const enterOne = async (own: AbortSignal, beforeId: number | null, patience?: Patience) => {
    const reached = await readTenants(token, patience);
    own.throwIfAborted();
    const chosen = choose(reached, beforeId);
    if (chosen) return enter(chosen, own, patience);
    if (beforeId !== null) why.value = "This token does not reach the tenant any more that was open here.";
    tenants.value = reached;
  };
  return {
    ...told,
    hurry,
    resume: () =>
      doing(async (own) => {
        if (!kept) return;
        token = kept.token;
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
        token = given;
        return enterOne(own, null);
      }),
  };
}

const createTold = (isResuming: boolean) => ({
  away: signal<Away | null>(null),
  isBusy: signal(false),
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
