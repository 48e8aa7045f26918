import { type Signal, signal } from "@preact/signals";
import { DispatchError } from "../../library/dispatch-error.ts";
import { messageOf } from "../message-of.ts";
import { keepCredentials, openSession, readTenants, type Session, type Tenant } from "./session.ts";

/** Signing in, step by step. */
export interface SignIn {
  isBusy: Signal<boolean>;
  session: Signal<Session | null>;
  /** Those to choose among, once a token reaches several. */
  tenants: Signal<readonly Tenant[] | null>;
  /** Why somebody is not signed in; empty at first. */
  why: Signal<string>;
  submitToken(token: string): Promise<void>;
  submitTenant(tenantId: number): Promise<void>;
  signOut(why?: string): void;
}

/** Nobody is signed in yet. */
export function createSignIn(): SignIn {
  const isBusy = signal(false);
  const session = signal<Session | null>(null);
  const tenants = signal<readonly Tenant[] | null>(null);
  const why = signal("");
  let token = "";
  const signOut = (reason = "") => {
    keepCredentials(null);
    session.value = null;
    tenants.value = null;
    why.value = reason;
  };
  const doing = async (step: () => Promise<void>) => {
    isBusy.value = true;
    why.value = "";
    await step().catch((error: unknown) => {
      why.value = describe(error);
      // What is good no more is not kept; who cannot be reached may know it still.
      if (error instanceof DispatchError && error.status === 401) keepCredentials(null);
    });
    isBusy.value = false;
  };
  const enter = async (tenant: Tenant) => {
    session.value = await openSession(token, tenant, signOut);
    keepCredentials({ token, tenantId: tenant.id });
  };
  return {
    isBusy,
    session,
    signOut,
    submitTenant: (tenantId) =>
      doing(async () => {
        const chosen = tenants.value?.find(({ id }) => id === tenantId);
        if (chosen) await enter(chosen);
      }),
    submitToken: (given) =>
      doing(async () => {
        token = given;
        const reached = await readTenants(given);
        const [only] = reached;
        if (!only) throw new Error("This token reaches no tenant.");
        if (reached.length === 1) await enter(only);
        else tenants.value = reached;
      }),
    tenants,
    why,
  };
}

/** Errors of the service say what to do; what a browser throws without an answer does not. */
function describe(error: unknown): string {
  if (error instanceof TypeError && /token/.test(error.message))
    return "This is no access token; copy it whole, without quotes.";
  return messageOf(error);
}
