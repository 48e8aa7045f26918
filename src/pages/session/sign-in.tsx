import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { SignIn } from "./create-sign-in.ts";

/** The form for a token, then for the tenant where it reaches several. */
export function SignInForm({ signIn, title }: { signIn: SignIn; title: string }): JSX.Element {
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
    <main class="sign-in">
      <h1>{title}</h1>
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
        A token is made with <code>dispatch-cli tokens create</code>. It is kept in this tab only, until you
        sign out or close it.
      </p>
    </main>
  );
}
