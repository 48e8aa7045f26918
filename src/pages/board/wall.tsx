import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { showDay } from "../../local-time/show-time.ts";
import { useBoard } from "./board-context.ts";
import { showClock } from "./job-text.ts";
import { isCompact, Lanes } from "./lanes.tsx";

/** How long a part of the trucks stays on the screen. */
const turnMs = 15_000;

/** The trucks on a screen on a wall. It turns the page when they do not fit. */
export function Wall({ children }: { children: ComponentChildren }): JSX.Element {
  const parts = useBoard();
  const { session, state, view } = parts;
  const zone = state.fleets.value?.zones.of(view.value.locationId);
  useEffect(() => {
    const timer = setInterval(turnPage, turnMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <header class="wall-head">
        <h1>
          <bdi>{session.tenant.name}</bdi> · {showDay(state.date.value, { today: state.today.value })}
        </h1>
        <span class="clock">{zone && showClock(state.now.value, zone)}</span>
        {children}
      </header>
      <main class={isCompact(parts) ? "board wall compact" : "board wall"}>
        <Lanes />
      </main>
    </>
  );
}

function turnPage(): void {
  const area = document.querySelector(".wall .locations");
  if (!area) return;
  const next = area.scrollTop + area.clientHeight;
  area.scrollTo({ top: next < area.scrollHeight ? next : 0 });
}
