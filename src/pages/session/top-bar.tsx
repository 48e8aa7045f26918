import type { ComponentChildren, JSX } from "preact";
import { type Session, serviceUrl } from "./session.ts";

export function TopBar({
  children,
  session,
  title,
}: {
  children?: ComponentChildren;
  session: Session;
  title: string;
}): JSX.Element {
  const { mayCall, signOut, tenant, user } = session;
  const others = pages.filter(({ name, operation }) => name !== title && mayCall(operation));
  return (
    <header class="top">
      <h1>
        <span class="page-name">{title}</span> <bdi>{tenant.name}</bdi>
      </h1>
      {children}
      {others.map(({ name, path }) => (
        <a key={path} href={serviceUrl + path}>
          {name}
        </a>
      ))}
      <bdi class="who">{user}</bdi>
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  );
}

const pages = [
  { name: "Board", operation: "jobs.list", path: "/board" },
  { name: "Inspector", operation: "events.list", path: "/inspect" },
] as const;
