import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { showDay } from "../../local-time/show-time.ts";
import type { Session } from "../session/session.ts";
import { TopBar } from "../session/top-bar.tsx";
import { createActions } from "./actions/actions.ts";
import { createOutbox } from "./actions/outbox.ts";
import { NeedsAttention } from "./attention.tsx";
import { BoardContext, type BoardParts, type OpenDialog } from "./board-context.ts";
import { CompleteDialog } from "./dialogs/complete-dialog.tsx";
import { JobDialog } from "./dialogs/job-dialog.tsx";
import { LinkDialog } from "./dialogs/link-dialog.tsx";
import { NewJobDialog } from "./dialogs/new-job-dialog.tsx";
import { SearchDialog } from "./dialogs/search-dialog.tsx";
import { FailedDialog, PlaceDialog, UndoDialog, WhenDialog } from "./dialogs/small-dialogs.tsx";
import { TruckDialog } from "./dialogs/truck-dialog.tsx";
import { isDriver } from "./driver/driver-steps.ts";
import { DriverView } from "./driver/driver-view.tsx";
import { createCardForms } from "./forms/job-form.ts";
import { followDrags } from "./input/drags.ts";
import { followKeys } from "./input/follow-keys.ts";
import { followLink } from "./input/follow-link.ts";
import { followSelection } from "./input/follow-selection.ts";
import { keepFocus } from "./input/keep-focus.ts";
import { isCompact, Lanes, Trays } from "./lanes.tsx";
import { BoardMap } from "./map/board-map.tsx";
import { SelectedJobs } from "./selected-jobs.tsx";
import { createDayState } from "./state/day-state.ts";
import { type ConnectionState, type Following, followDay } from "./state/follow-day.ts";
import { seesFleet } from "./state/read-day.ts";
import { openView } from "./state/view.ts";
import { StatusLine } from "./status-line.tsx";
import { Toolbar } from "./toolbar.tsx";
import { Wall } from "./wall.tsx";

export function BoardPage({ session }: { session: Session }): JSX.Element {
  const { end, parts } = useMemo(() => openBoard(session), [session]);
  useEffect(() => end, [end]);
  const hasMap = parts.view.value.hasMap && seesFleet(session);
  if (showsStops(parts))
    return (
      <BoardContext.Provider value={parts}>
        <TopBar session={session} title="Board">
          <Connection following={parts.following} isShort />
        </TopBar>
        <DriverView />
      </BoardContext.Provider>
    );
  if (parts.view.value.isWall)
    return (
      <BoardContext.Provider value={parts}>
        <Wall>
          <Connection following={parts.following} />
        </Wall>
      </BoardContext.Provider>
    );
  return (
    <BoardContext.Provider value={parts}>
      <TopBar session={session} title="Board">
        <Connection following={parts.following} />
      </TopBar>
      <Toolbar />
      <section class="for-paper" aria-label="Day">
        {showDay(parts.state.date.value, { today: "" })}
      </section>
      <section class="news" aria-label="News">
        <NeedsAttention />
        <SelectedJobs />
        <StatusLine />
      </section>
      <main class={["board", hasMap && "with-map", isCompact(parts) && "compact"].filter(Boolean).join(" ")}>
        <Trays />
        <Lanes />
        {hasMap && <BoardMap />}
      </main>
      <DialogOf open={parts.dialog} />
    </BoardContext.Provider>
  );
}

const showsStops = ({ session, view }: BoardParts) => isDriver(session) && !view.value.isWhole;

function openBoard(session: Session): { parts: BoardParts; end(): void } {
  const { end: endView, view } = openView();
  const state = createDayState(session, view);
  const following = followDay(session, state);
  const dialog = signal<OpenDialog | null>(null);
  const actions = createActions(session, state, (undo) => {
    dialog.value = { kind: "undo", ...undo };
  });
  const cardForms = createCardForms({ actions, session, state });
  const outbox = createOutbox(session, state);
  const selected = signal<ReadonlySet<number>>(new Set());
  const parts = { actions, cardForms, dialog, following, outbox, selected, session, state, view };
  const endings = [
    () => outbox.end(),
    followDrags(parts),
    followKeys(parts),
    followLink(parts, () => !showsStops(parts)),
    followSelection(parts),
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

function DialogOf({ open }: { open: Signal<OpenDialog | null> }): JSX.Element | null {
  const dialog = open.value;
  const close = () => {
    open.value = null;
  };
  switch (dialog?.kind) {
    case undefined:
      return null;
    case "complete":
      return <CompleteDialog key={dialog.job.id} job={dialog.job} onClose={close} />;
    case "fail":
      return <FailedDialog job={dialog.job} onClose={close} />;
    case "job":
      return <JobDialog key={dialog.job.id} job={dialog.job} />;
    case "link":
      return <LinkDialog driver={dialog.driver} onClose={close} />;
    case "new":
      return <NewJobDialog {...(dialog.customer && { found: dialog.customer })} />;
    case "place":
      return <PlaceDialog {...dialog} onClose={close} />;
    case "search":
      return <SearchDialog onClose={close} />;
    case "truck":
      return <TruckDialog jobs={dialog.jobs} onClose={close} />;
    case "undo":
      return <UndoDialog {...dialog} />;
    case "when":
      return <WhenDialog jobs={dialog.jobs} onClose={close} />;
  }
}

function Connection({
  following,
  isShort = false,
}: {
  following: Following;
  isShort?: boolean;
}): JSX.Element {
  const [text, isAlarm] = connectionTexts[following.connection.value];
  return (
    <span role="status" class={isAlarm ? "connection alarm" : "connection quiet"}>
      {isShort && isAlarm ? "no signal" : text}
    </span>
  );
}

const connectionTexts: Readonly<Record<ConnectionState, readonly [text: string, isAlarm: boolean]>> = {
  connecting: ["connecting …", false],
  live: ["live", false],
  offline: ["offline: no network", true],
  reconnecting: ["not up to date; reconnecting …", true],
};
