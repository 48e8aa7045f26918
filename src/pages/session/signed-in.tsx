import type { ComponentType, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { AwayNotice } from "./away-notice.tsx";
import { createSignIn } from "./create-sign-in.ts";
import type { Session } from "./session.ts";
import { SignInAgain, SignInForm } from "./sign-in.tsx";

/** A page for who is signed in; everybody else is asked for a token first. */
export function SignedIn({
  page: Page,
  title,
}: {
  page: ComponentType<{ session: Session }>;
  title: string;
}): JSX.Element {
  const signIn = useMemo(createSignIn, []);
  useEffect(() => void signIn.resume(), []);
  useEffect(() => {
    document.title = signIn.session.value ? `${title} · ${signIn.session.value.tenant.name}` : title;
  }, [signIn.session.value]);
  const session = signIn.session.value;
  if (session)
    return (
      <>
        <Page key={`${session.tenant.id} ${session.user}`} session={session} />
        {signIn.isExpired.value && <SignInAgain session={session} signIn={signIn} />}
      </>
    );
  if (signIn.isResuming.value) return <AwayNotice signIn={signIn} title={title} />;
  return <SignInForm signIn={signIn} title={title} />;
}
