import type { JobCalls } from "../../../board/board-actions.ts";
import type { UndoCalls } from "../../../board/board-undo.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { DispatchError } from "../../../errors/dispatch-error.ts";
import type { Session } from "../../session/session.ts";
import type { Job } from "../state/read-day.ts";

type Operations = OperationsAt<NewestVersion>;

/** The fields of a job that may be changed. */
export type JobChanges = Operations["jobs.update"]["input"]["body"];

/** The calls that change a job on this page's server. */
export function toJobCalls({ client }: Session): JobCalls<JobChanges, Job> {
  const paramsOf = ({ id, location_id }: { id: number; location_id: number }) => ({
    job_id: id,
    location_id,
  });
  return {
    async read(job) {
      const { answer, etag } = await client.exchange("jobs.get", { params: paramsOf(job) });
      return { etag: etag ?? undefined, job: answer };
    },
    dispatch: (job, body, ifMatch) => client.call("jobs.dispatch", { params: paramsOf(job), body, ifMatch }),
    move: (job, body, ifMatch) => client.call("jobs.move", { params: paramsOf(job), body, ifMatch }),
    update: (job, body, ifMatch) => client.call("jobs.update", { params: paramsOf(job), body, ifMatch }),
    isRefusal,
    toConflict: (detail) => new Error(detail),
  };
}

/** The effects of an undo, from the server. */
export type Undone = Operations["audit.undo"]["answer"];

/** The calls that take back what the user did with jobs. */
export function toUndoCalls({ client }: Session): UndoCalls<Undone> {
  return {
    last: () => client.call("audit.last", { query: { record_type: "Job" } }),
    undo: (audit_id, dryRun) => client.call("audit.undo", { params: { audit_id }, dryRun }),
    isRefusal,
  };
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof DispatchError && error.violations.some((violation) => violation.code === code);
}
