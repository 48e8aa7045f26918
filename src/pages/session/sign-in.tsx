import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { openWindow } from "../page-history.ts";
import type { SignIn } from "./create-sign-in.ts";
import { type Session, serviceUrl } from "./session.ts";

export function SignInForm({ signIn, title }: { signIn: SignIn; title: string }): JSX.Element {
  return (
    <main class="sign-in">
      <h1>{title}</h1>
      <TokenForm signIn={signIn} />
      <p>
        <a href={`${serviceUrl}/docs`}>API reference</a>
      </p>
    </main>
  );
}

/** A dialog over the page, which keeps the typed text. */
export function SignInAgain({ session, signIn }: { session: Session; signIn: SignIn }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    const opened = openWindow(() => undefined);
    current?.showModal();
    return () => {
      opened.end();
      current?.close();
    };
  }, []);
  const other = signIn.other.value?.user;
  return (
    <dialog
      ref={dialog}
      class="sign-in"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
    >
      <h2 id="sign-in-again">Sign in again</h2>
      {other ? (
        <>
          <p role="alert">
            {`This token belongs to ${other}, but ${session.user} was signed in here. If you continue as ${other}, you lose the unsaved text of ${session.user}.`}
          </p>
          <p class="buttons">
            <button type="button" onClick={() => signIn.answerOther(true)}>
              Continue as {other}
            </button>
            <button type="button" onClick={() => signIn.answerOther(false)}>
              Another token
            </button>
          </p>
        </>
      ) : (
        <>
          <p>{`Sign in as ${session.user} to continue. The page keeps your unsaved text.`}</p>
          <TokenForm signIn={signIn} />
          <button type="button" onClick={signIn.signOut}>
            Sign out
          </button>
        </>
      )}
    </dialog>
  );
}

function TokenForm({ signIn }: { signIn: SignIn }): JSX.Element {
  const { isBusy, submitTenant, submitToken, tenants, why } = signIn;
  const first = useRef<HTMLInputElement & HTMLSelectElement>(null);
  useLayoutEffect(() => first.current?.focus(), [tenants.value === null]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!first.current || isBusy.value) return;
    if (tenants.value === null) void submitToken(first.current.value.trim());
    else void submitTenant(Number(first.current.value));
  };
  return (
    <>
      <form onSubmit={submit}>
        {tenants.value === null ? (
          <label>
            Access token
            <input ref={first} type="password" autocomplete="off" spellcheck={false} required />
          </label>
        ) : (
          <label>
            Tenant
            <select ref={first} required>
              {tenants.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="submit" disabled={isBusy.value}>
          {isBusy.value ? "Signing in …" : "Sign in"}
        </button>
        {tenants.value !== null && (
          <button type="button" onClick={() => signIn.signOut()}>
            Another token
          </button>
        )}
      </form>
      <p role="alert">{why.value}</p>
      <p class="quiet">
        Open the sign-in link that your dispatcher or Admin sent you, or paste an access token. This tab keeps
        the token until you sign out or close it.
      </p>
    </>
  );
}
