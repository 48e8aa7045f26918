import { type ComponentType, type JSX, render } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { toEpochMs } from "../../runtime/clock.ts";
import { type Away, createSignIn, type SignIn } from "./create-sign-in.ts";
import type { Session } from "./session.ts";
import { SignInAgain, SignInForm } from "./sign-in.tsx";

function SignedIn({
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

function AwayNotice({ signIn, title }: { signIn: SignIn; title: string }): JSX.Element {
  const { away, hurry, isBusy, signOut } = signIn;
  return (
    <main class="sign-in away">
      <h1>{title}</h1>
      <p role="alert">{away.value && "Cannot reach the service. You are still signed in. Retrying …"}</p>
      <p class="quiet">{away.value ? toStory(away.value) : "Signing in …"}</p>
      <p>
        <button type="button" onClick={hurry}>
          {isBusy.value ? "Trying …" : "Try again"}
        </button>{" "}
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </p>
    </main>
  );
}

function toStory({ failures, since, why }: Away): string {
  const [time] = new Date(toEpochMs(since)).toTimeString().split(" ");
  return `${why} Tried ${failures === 1 ? "once" : `${failures} times`}, first at ${time}.`;
}

export function startPage(title: string, page: ComponentType<{ session: Session }>): void {
  render(<SignedIn page={page} title={title} />, document.body);
}
