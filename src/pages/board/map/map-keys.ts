import type { Point } from "../../../geography/projection.ts";
import type { Sign } from "./map-signs.ts";
import type { MapState } from "./map-state.ts";

/**
 * What a key does on a map: arrows move it, or go from a stop to the next one in their direction; + and − zoom, 0 shows
 * all. `surface` has the focus, or one of its stops. Tells whether it did something.
 */
export function pressKey(
  map: MapState,
  key: string,
  { choose, surface }: { choose: (sign: Sign) => void; surface: SVGElement },
): boolean {
  const focused = document.activeElement?.closest<SVGElement>("[data-sign]");
  const sign = map.signs.value.find((one) => String(one.key) === focused?.dataset.sign);
  const arrow = arrows[key];
  if (arrow && sign) focusSign(surface, findNext(map.signs.value, sign, arrow));
  else if (arrow) map.pan(-arrow.x * stepPx, -arrow.y * stepPx);
  else if (key === "+" || key === "=") map.zoom(zoomStep);
  else if (key === "-" || key === "_") map.zoom(1 / zoomStep);
  else if (key === "0") map.showAll();
  else if (key === "Enter" || key === " ") {
    if (sign) choose(sign);
    else surface.querySelector<SVGElement>('[data-sign][tabindex="0"]')?.focus();
  } else if (key === "Escape" && sign) surface.focus();
  else return false;
  return true;
}

/** How much nearer a step goes. */
export const zoomStep = 1.5;

const stepPx = 60;

const arrows: Readonly<Record<string, Point>> = {
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
};

/** The nearest in a direction; what lies aside of it counts as farther away. */
function findNext(signs: readonly Sign[], { at, key }: Sign, arrow: Point): Sign | null {
  const ahead = signs.flatMap((sign) => {
    const [x, y] = [sign.at.x - at.x, sign.at.y - at.y];
    const forward = x * arrow.x + y * arrow.y;
    const aside = Math.abs(x * arrow.y) + Math.abs(y * arrow.x);
    return sign.key === key || forward <= 0 || aside > 3 * forward
      ? []
      : [{ far: forward + 2 * aside, sign }];
  });
  const least = ahead.reduce((far, one) => Math.min(far, one.far), Number.POSITIVE_INFINITY);
  return ahead.find(({ far }) => far === least)?.sign ?? null;
}

function focusSign(surface: SVGElement, sign: Sign | null): void {
  if (sign) surface.querySelector<SVGElement>(`[data-sign="${sign.key}"]`)?.focus();
}
