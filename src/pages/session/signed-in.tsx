import { useSignal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { createSignIn, type SignIn } from "./create-sign-in.ts";
import { loadCredentials, type Session } from "./session.ts";
import { SignInForm } from "./sign-in.tsx";

/** A page for who is signed in; everybody else is asked for a token first. */
export function SignedIn({
  page: Page,
  title,
}: {
  page: ComponentType<{ session: Session }>;
  title: string;
}): JSX.Element | null {
  const signIn = useMemo(createSignIn, []);
  const isKnown = useSignal(loadCredentials() !== null);
  useEffect(() => {
    void resume(signIn).finally(() => {
      isKnown.value = false;
    });
  }, []);
  useEffect(() => {
    document.title = signIn.session.value ? `${title} · ${signIn.session.value.tenant.name}` : title;
  }, [signIn.session.value]);
  if (signIn.session.value) return <Page session={signIn.session.value} />;
  return isKnown.value ? null : <SignInForm signIn={signIn} title={title} />;
}

/** Goes on with what the tab has kept. */
async function resume(signIn: SignIn): Promise<void> {
  const kept = loadCredentials();
  if (!kept) return;
  await signIn.submitToken(kept.token);
  if (kept.tenantId !== null && !signIn.session.value && signIn.tenants.value)
    await signIn.submitTenant(kept.tenantId);
}
