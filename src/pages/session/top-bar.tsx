import type { ComponentChildren, JSX } from "preact";
import type { Session } from "./session.ts";

/** The line at the top of a page: whose it is, what the page has for it, and the way out. */
export function TopBar({
  children,
  session,
  title,
}: {
  children?: ComponentChildren;
  session: Session;
  title: string;
}): JSX.Element {
  const { signOut, tenant, user } = session;
  return (
    <header class="top">
      <h1>
        <span class="page-name">{title}</span> {tenant.name}
      </h1>
      {children}
      <span class="who">{user}</span>
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  );
}
