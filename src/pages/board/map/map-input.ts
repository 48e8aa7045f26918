import type { Point } from "../../../geography/projection.ts";
import type { Sign } from "./map-signs.ts";
import type { MapState } from "./map-state.ts";

const slackPx = 5;

export function followGestures(
  element: SVGSVGElement,
  { pan, zoom }: Pick<MapState, "pan" | "zoom">,
): () => void {
  const pointers = new Map<number, Point>();
  let isDrag = false;
  const at = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) isDrag = false;
    pointers.set(event.pointerId, at(event));
  };
  const release = ({ pointerId }: PointerEvent) => void pointers.delete(pointerId);
  const move = (event: PointerEvent) => {
    const { buttons, pointerId } = event;
    const before = pointers.get(pointerId);
    if (!before) return;
    // The pointer was released outside the window.
    if (buttons === 0) return release(event);
    const now = at(event);
    if (!isDrag && distance(before, now) < slackPx) return;
    isDrag = true;
    if (!element.hasPointerCapture(pointerId)) element.setPointerCapture(pointerId);
    const [other] = [...pointers].filter(([id]) => id !== pointerId).map(([, point]) => point);
    pointers.set(pointerId, now);
    if (!other) return pan(now.x - before.x, now.y - before.y);
    pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    zoom(distance(now, other) / Math.max(1, distance(before, other)), middle);
  };
  const turn = (event: WheelEvent) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    // A pinch on a touchpad arrives as a wheel event with Ctrl, in small steps.
    zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * (event.ctrlKey ? 0.01 : 0.002)), at(event));
  };
  const click = (event: MouseEvent) => {
    if (isDrag) event.stopPropagation();
  };
  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener("pointerdown", press, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", release, { signal });
  element.addEventListener("pointercancel", release, { signal });
  element.addEventListener("wheel", turn, { passive: false, signal });
  element.addEventListener("click", click, { capture: true, signal });
  return () => ending.abort();
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

/** Arrows move the map or the focus, + and − zoom, 0 shows all. Returns whether it handled the key. */
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

export const zoomStep = 1.5;

const stepPx = 60;

const arrows: Readonly<Record<string, Point>> = {
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
};

/** A sideways offset counts twice. */
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
