import type { JSX } from "preact";
import { sayDay, showDay } from "../../local-time/show-time.ts";
import { addDays } from "../../local-time/zone.ts";
import { useBoard } from "./board-context.ts";
import type { View } from "./state/view.ts";

/** What is shown: the day, the location, the truck, words. A job that is dropped on a day goes there. */
export function Toolbar(): JSX.Element {
  const { asked, doing, session, state, view } = useBoard();
  const show = (changes: Partial<View>) => {
    view.value = { ...view.value, ...changes };
  };
  const locations = (state.places.value?.all ?? [])
    .map(({ location }) => location)
    .filter((one) => one.is_active);
  const trucks = (state.board.value?.locations ?? []).flatMap((location) => location.trucks);
  const { hasMap, locationId, text, truckId } = view.value;
  return (
    <div class="toolbar" role="toolbar" aria-label="What is shown">
      <Days />
      {locations.length > 1 && (
        <label>
          Location
          <select
            value={locationId ?? ""}
            onChange={({ currentTarget }) =>
              show({ locationId: Number(currentTarget.value) || null, truckId: null })
            }
          >
            <option value="">all</option>
            {locations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Truck
        <select
          value={truckId ?? ""}
          onChange={({ currentTarget }) => show({ truckId: Number(currentTarget.value) || null })}
        >
          <option value="">all</option>
          {trucks.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="search">
        Filter
        <input
          type="search"
          value={text}
          onInput={({ currentTarget }) => show({ text: currentTarget.value })}
          placeholder="customer, street, late …"
        />
      </label>
      <button type="button" aria-pressed={hasMap} onClick={() => show({ hasMap: !hasMap })}>
        Map
      </button>
      {session.mayCall("jobs.create") && (
        <button type="button" onClick={() => (asked.value = { kind: "new" })}>
          New job
        </button>
      )}
      <button type="button" onClick={() => void doing.undo()}>
        Undo
      </button>
      <button type="button" onClick={() => (asked.value = { kind: "keys" })}>
        Keys
      </button>
    </div>
  );
}

/** The days around the one that is shown. */
function Days(): JSX.Element {
  const { state, view } = useBoard();
  const date = state.date.value;
  const today = state.today.value;
  const days = [-1, 0, 1, 2, 3, 4, 5].map((by) => addDays(date, by));
  const show = (day: string) => {
    view.value = { ...view.value, date: day === today ? null : day };
  };
  return (
    <fieldset class="days" aria-label="Day">
      <button type="button" aria-label="The day before" onClick={() => show(addDays(date, -1))}>
        ‹
      </button>
      {days.map((day) => (
        <button
          key={day}
          type="button"
          class="day"
          data-drop="day"
          data-day={day}
          aria-pressed={day === date}
          onClick={() => show(day)}
        >
          {day === today ? sayDay(day, { today }) : showDay(day, { today })}
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
    </fieldset>
  );
}
