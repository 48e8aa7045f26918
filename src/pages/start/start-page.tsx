import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Session, serviceUrl } from "../session/session.ts";
import { TopBar } from "../session/top-bar.tsx";

/** Leads to the board. An Admin also works with the inspector and the reference, so an Admin chooses. */
export function StartPage({ session }: { session: Session }): JSX.Element | null {
  const isAdmin = session.roles.includes("Admin");
  useEffect(() => {
    if (!isAdmin) location.replace(`${serviceUrl}/board`);
  }, [isAdmin]);
  if (!isAdmin) return null;
  return (
    <>
      <TopBar session={session} title="Start" />
      <main class="sign-in">
        <h2>Where to?</h2>
        <ul class="places">
          {places.map(({ about, name, path }) => (
            <li key={path}>
              <a href={serviceUrl + path}>{name}</a> <span class="quiet">{about}</span>
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}

const places = [
  { name: "Board", path: "/board", about: "the jobs of a day by truck" },
  { name: "Inspector", path: "/inspect", about: "requests, events, and deliveries" },
  { name: "API reference", path: "/docs", about: "every operation, for developers" },
] as const;
