import type { JSX } from "preact";
import type { BoardJob } from "../../board/board.ts";
import { useBoard } from "./board-context.ts";
import { Card } from "./card.tsx";
import { useTabStop } from "./use-tab-stop.ts";

/** Jobs in their order; `label` says to a screen reader whose they are. */
export function CardList({
  hasDay = false,
  jobs,
  label,
}: {
  hasDay?: boolean;
  jobs: readonly BoardJob[];
  label: string;
}): JSX.Element {
  const { doing, editing, following, state } = useBoard();
  const busy = doing.busy.value;
  const changes = following.changes.value;
  const known = state.jobs.value;
  const stop = useTabStop();
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without markers for none.
    <ul class="cards" role="list" aria-label={label} {...stop}>
      {jobs.map((job) => (
        <Card
          key={job.id}
          job={job}
          whole={known.get(job.id)}
          isBusy={busy.has(job.id)}
          hasDay={hasDay}
          form={editing.forms.value.get(job.id)}
          who={changes.find(({ jobId }) => jobId === job.id)?.user ?? null}
        />
      ))}
    </ul>
  );
}
