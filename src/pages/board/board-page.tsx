import type { JSX } from "preact";
import type { Session } from "../session/session.ts";
import { TopBar } from "../session/top-bar.tsx";

/** The dispatcher's day: the jobs of a day by truck, as they change. */
export function BoardPage({ session }: { session: Session }): JSX.Element {
  return <TopBar session={session} title="Board" />;
}
