import { Fragment, type JSX, type Ref } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardJob } from "../../board/board.ts";
import { showTimeOfDay } from "../../local-time/show-time.ts";
import { isWholeDay } from "../../local-time/whole-day.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { useBoard } from "./board-context.ts";
import { Card } from "./card.tsx";

export function CardList({
  hasDay = false,
  jobs,
  label,
  now = null,
}: {
  hasDay?: boolean;
  jobs: readonly BoardJob[];
  label: string;
  /** A line marks this time before the first job that starts later, or behind the last job. */
  now?: Timestamp | null;
}): JSX.Element {
  const { actions, cardForms, following, selected, state } = useBoard();
  const busy = actions.busyJobs.value;
  const changes = following.changes.value;
  const known = state.jobs.value;
  const stop = useTabStop();
  const next = now === null ? undefined : jobs.find((job) => (toStart(job) ?? "") > now);
  const isLast = now !== null && !next && jobs.some(toStart);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari does not announce a list without markers.
    <ul class="cards" role="list" aria-label={label} {...stop}>
      {jobs.map((job) => (
        <Fragment key={job.id}>
          {job === next && now !== null && <Now now={now} locationId={job.location_id} />}
          <Card
            job={job}
            whole={known.get(job.id)}
            isBusy={busy.has(job.id)}
            isSelected={selected.value.has(job.id)}
            hasDay={hasDay}
            form={cardForms.open.value.get(job.id)}
            who={changes.find(({ jobId }) => jobId === job.id)?.user ?? null}
          />
        </Fragment>
      ))}
      {isLast && <Now now={now} locationId={jobs[0]?.location_id ?? 0} />}
    </ul>
  );
}

/** null without a time of day. */
function toStart({ desired_start_time, schedule_date }: BoardJob): Timestamp | null {
  return desired_start_time ?? (schedule_date && !isWholeDay(schedule_date) ? schedule_date : null);
}

function Now({ locationId, now }: { locationId: number; now: Timestamp }): JSX.Element {
  const zone = useBoard().state.zoneOf(locationId);
  return <li class="now">now {showTimeOfDay(zone.toLocal(now), zone)}</li>;
}

/** The last focused card is the tab stop. Sets `tabIndex` on elements, because rendering a long list is slow. */
function useTabStop(): { ref: Ref<HTMLUListElement>; onFocusIn(event: FocusEvent): void } {
  const ref = useRef<HTMLUListElement>(null);
  const chosen = useRef<string | undefined>(undefined);
  const stop = useRef<HTMLElement | null>(null);
  const put = (card: HTMLElement | null) => {
    if (card === stop.current) return;
    if (stop.current) stop.current.tabIndex = -1;
    if (card) card.tabIndex = 0;
    stop.current = card;
  };
  useLayoutEffect(() => {
    const cards = ref.current;
    put(
      cards?.querySelector<HTMLElement>(`[data-job="${chosen.current}"]`) ??
        cards?.querySelector<HTMLElement>("[data-job]") ??
        null,
    );
  });
  return {
    ref,
    onFocusIn({ target }) {
      const card = target instanceof Element ? target.closest<HTMLElement>("[data-job]") : null;
      if (!card) return;
      chosen.current = card.dataset.job;
      put(card);
    },
  };
}
