import type { ComponentType } from "preact";
import { render } from "preact";
import type { Session } from "./session/session.ts";
import { SignedIn } from "./session/signed-in.tsx";

/** Draws a page into the document, for who is signed in. */
export function startPage(title: string, page: ComponentType<{ session: Session }>): void {
  render(<SignedIn page={page} title={title} />, document.body);
}
