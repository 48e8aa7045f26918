import type { ComponentChildren, JSX } from "preact";
import type { Place, Places } from "./place.ts";

/** A link to another place of the page: it is followed without loading the page again, or in another tab as any link. */
export function PlaceLink({
  children,
  current,
  onGo,
  places,
  to,
}: {
  children: ComponentChildren;
  current?: boolean;
  /** Told before the page goes there. */
  onGo?: () => void;
  places: Places;
  to: Partial<Place>;
}): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onGo?.();
    places.go(to);
  };
  return (
    <a href={places.addressOf(to)} aria-current={current ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}
