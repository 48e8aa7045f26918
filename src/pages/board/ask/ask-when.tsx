import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import { toFieldValue } from "../../../local-time/field-time.ts";
import { readTime, timeForms } from "../../../local-time/read-time.ts";
import { sayDay, showDayOrMoment } from "../../../local-time/show-time.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** Asks when a job is to be done, in the words that the terminal takes. */
export function AskWhen({ job }: { job: BoardJob }): JSX.Element {
  const { asked, doing, state } = useBoard();
  const refusal = useSignal("");
  const zone = state.zoneOf(job.location_id);
  const close = () => {
    asked.value = null;
  };
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("when") ?? "");
    const read = readTime(text, { now: state.now.value, order: dateOrderOf(zone), zone });
    if ("refusal" in read) {
      refusal.value = `"${text}" ${read.refusal}.`;
      return;
    }
    const date = toFieldValue(read.time, "new_schedule_date", zone);
    const view = { today: state.today.value, zone };
    const said = "day" in read.time ? sayDay(read.time.day, view) : showDayOrMoment(date, view);
    close();
    void doing.move(job, { new_schedule_date: date }, null, `Job ${job.id} → ${said}`);
  };
  return (
    <Window title={`When is job ${job.id} to be done?`} onClose={close}>
      <form onSubmit={submit}>
        <label>
          When, at {zone.name}
          <input name="when" data-first required autocomplete="off" />
        </label>
        <p class="quiet">{timeForms}</p>
        <p role="alert">{refusal.value}</p>
        <button type="submit">Schedule</button>
      </form>
    </Window>
  );
}
