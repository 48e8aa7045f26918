import type { JSX } from "preact";
import type { WaitingReport } from "../actions/outbox.ts";
import { useBoard } from "../board-context.ts";

export function WaitingReports(): JSX.Element | null {
  const { outbox } = useBoard();
  const reports = outbox.reports.value;
  const refused = reports.filter(({ refusal }) => refusal !== null);
  const waiting = reports.filter(({ refusal }) => refusal === null);
  return (
    <>
      <div role="status" class="waiting">
        {waiting.length > 0 && outbox.hasNoSignal.value && (
          <p>No signal. The page keeps these and sends them when there is signal. Do not close it.</p>
        )}
        {waiting.map((report) => (
          <p key={report.id}>Waiting: {toReportText(report)}</p>
        ))}
      </div>
      {refused.map((report) => (
        <p key={report.id} role="alert" class="refused">
          Not done: {toReportText(report)}. <bdi>{report.refusal}</bdi>{" "}
          <button type="button" onClick={() => outbox.dismiss(report)}>
            OK
          </button>
        </p>
      ))}
    </>
  );
}

const toReportText = ({ jobId, label }: WaitingReport) => (jobId === null ? label : `job ${jobId}, ${label}`);
