import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { showDay } from "../../local-time/show-time.ts";
import { addDays } from "../../local-time/zone.ts";
import { useBoard } from "./board-context.ts";
import { mayUndo } from "./input/follow-keys.ts";
import { showClock } from "./job-text.ts";
import { isCompact } from "./lanes.tsx";
import { seesFleet } from "./state/read-day.ts";

export function Toolbar(): JSX.Element {
  const { view } = useBoard();
  const { text } = view.value;
  const isOpen = useSignal(false);
  return (
    <nav class={isOpen.value ? "toolbar open" : "toolbar"} aria-label="View">
      <button
        type="button"
        class="more"
        aria-label="More days and tools"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        ☰
      </button>
      <Days />
      <Where />
      <label class="search">
        Filter
        <input
          type="search"
          value={text}
          onInput={({ currentTarget }) => {
            view.value = { ...view.value, text: currentTarget.value };
          }}
          placeholder="customer, street, late …"
        />
      </label>
      <Buttons />
    </nav>
  );
}

function Where(): JSX.Element {
  const { session, state, view } = useBoard();
  const { locationId, truckId } = view.value;
  const locations = (state.fleets.value?.all ?? []).map(({ location }) => location);
  const trucks = (state.board.value?.locations ?? []).flatMap((location) => location.trucks);
  const open = locations.filter(({ is_active }) => is_active);
  return (
    <>
      {open.length > 1 && (
        <Choice
          label="Location"
          chosen={locationId}
          among={open}
          choose={(id) => {
            view.value = { ...view.value, locationId: id, truckId: null };
          }}
        />
      )}
      {seesFleet(session) && (
        <Choice
          label="Truck"
          chosen={truckId}
          among={trucks}
          choose={(id) => {
            view.value = { ...view.value, truckId: id };
          }}
        />
      )}
    </>
  );
}

function Choice({
  among,
  choose,
  chosen,
  label,
}: {
  among: readonly { id: number; name: string }[];
  choose: (id: number | null) => void;
  chosen: number | null;
  label: string;
}): JSX.Element {
  return (
    <label>
      {label}
      <select
        value={chosen ?? ""}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value) || null)}
      >
        <option value="">all</option>
        {among.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Buttons(): JSX.Element {
  const parts = useBoard();
  const { actions, dialog, session, view } = parts;
  const { hasMap } = view.value;
  const isOneLine = isCompact(parts);
  const open = (kind: "new" | "search") => () => {
    dialog.value = { kind };
  };
  const turnMap = () => {
    view.value = { ...view.value, hasMap: !hasMap };
  };
  return (
    <>
      {seesFleet(session) && (
        <button type="button" aria-pressed={hasMap} onClick={turnMap}>
          Map
        </button>
      )}
      <button
        type="button"
        aria-pressed={isOneLine}
        onClick={() => {
          view.value = { ...view.value, isCompact: !isOneLine };
        }}
      >
        Compact
      </button>
      {session.mayCall("jobs.create") && (
        <button type="button" class="primary" onClick={open("new")}>
          New job
        </button>
      )}
      {mayUndo(session) && (
        <button type="button" onClick={() => void actions.undo()}>
          Undo
        </button>
      )}
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        title="Search everything (Ctrl-K)"
        onClick={open("search")}
      >
        Search
      </button>
    </>
  );
}

function Days(): JSX.Element {
  const { state, view } = useBoard();
  const date = state.date.value;
  const today = state.today.value;
  const zone = state.fleets.value?.zones.of(view.value.locationId);
  // At the end of the calendar several days would be equal.
  const days = new Set([-1, 0, 1, 2, 3, 4, 5].map((by) => addDays(date, by)));
  const show = (day: string) => {
    view.value = { ...view.value, date: day === today ? null : day };
  };
  return (
    <fieldset class="days" aria-label="Day">
      <button type="button" aria-label="The day before" onClick={() => show(addDays(date, -1))}>
        ‹
      </button>
      {[...days].map((day) => (
        <button
          key={day}
          type="button"
          class="day"
          data-drop="day"
          data-day={day}
          aria-pressed={day === date}
          onClick={() => show(day)}
        >
          {day === today && "today, "}
          {showDay(day, { today })}
        </button>
      ))}
      <button type="button" aria-label="The day after" onClick={() => show(addDays(date, 1))}>
        ›
      </button>
      <input
        type="date"
        aria-label="Another day"
        value={date}
        onChange={({ currentTarget }) => currentTarget.value && show(currentTarget.value)}
      />
      <span class="quiet clock">{zone && showClock(state.now.value, zone)}</span>
    </fieldset>
  );
}
