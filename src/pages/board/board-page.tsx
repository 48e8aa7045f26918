import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Session } from "../session/session.ts";
import { TopBar } from "../session/top-bar.tsx";
import { createDoing } from "./act/doing.ts";
import { Ask } from "./ask/ask.tsx";
import { type Asked, BoardContext, type BoardParts } from "./board-context.ts";
import { createEditing } from "./edit/editing.ts";
import { Lanes } from "./lanes.tsx";
import { BoardMap } from "./map/board-map.tsx";
import { followDrags } from "./move/drags.ts";
import { followKeys } from "./move/follow-keys.ts";
import { keepFocus } from "./move/keep-focus.ts";
import { SaidLine } from "./said-line.tsx";
import { createDayState } from "./state/day-state.ts";
import { type ConnectionState, type Following, followDay } from "./state/follow-day.ts";
import { seesFleet } from "./state/read-day.ts";
import { openView } from "./state/view.ts";
import { Toolbar } from "./toolbar.tsx";
import { Trays } from "./trays.tsx";

/** The dispatcher's day: the jobs of a day by truck, as they change. */
export function BoardPage({ session }: { session: Session }): JSX.Element {
  const { end, parts } = useMemo(() => openBoard(session), [session]);
  useEffect(() => end, [end]);
  // The map shows the ways of trucks.
  const hasMap = parts.view.value.hasMap && seesFleet(session);
  return (
    <BoardContext.Provider value={parts}>
      <TopBar session={session} title="Board">
        <Connection following={parts.following} />
      </TopBar>
      <Toolbar />
      <SaidLine />
      <main class={hasMap ? "board with-map" : "board"}>
        <Trays />
        <Lanes />
        {hasMap && <BoardMap />}
      </main>
      <Ask />
    </BoardContext.Provider>
  );
}

function openBoard(session: Session): { parts: BoardParts; end(): void } {
  const { end: endView, view } = openView();
  const state = createDayState(session, view);
  const following = followDay(session, state);
  const doing = createDoing(session, state);
  const asked = signal<Asked | null>(null);
  const editing = createEditing({ doing, session, state });
  const parts = { asked, doing, editing, following, session, state, view };
  const endings = [
    followDrags(parts),
    followKeys(parts),
    keepFocus(),
    () => following.end(),
    () => state.end(),
    endView,
  ];
  const end = () => {
    for (const one of endings) one();
  };
  return { end, parts };
}

/** Whether the board shows the present state of the service. */
function Connection({ following }: { following: Following }): JSX.Element {
  const [text, isAlarm] = connectionTexts[following.connection.value];
  return (
    <span role="status" class={isAlarm ? "connection alarm" : "connection quiet"}>
      {text}
    </span>
  );
}

const connectionTexts: Readonly<Record<ConnectionState, readonly [text: string, isAlarm: boolean]>> = {
  connecting: ["connecting …", false],
  live: ["live", false],
  offline: ["offline: no network", true],
  reconnecting: ["not up to date; reconnecting …", true],
};
