import type { JSX } from "preact";
import type { Session } from "../session/session.ts";
import { TopBar } from "../session/top-bar.tsx";

/** What developers of clients and receivers look at: requests, events and deliveries as they happen. */
export function InspectPage({ session }: { session: Session }): JSX.Element {
  return <TopBar session={session} title="Inspector" />;
}
