import type { ComparedAddresses, NearAddresses } from "../../store/queries/match-key.ts";
import type { JobListDocument } from "../job-list-pdf.ts";

/** Slow work that must not block the server's event loop. Threads exchange plain data only. */
interface Tasks {
  jobListPdf: { input: { fonts: readonly string[]; list: JobListDocument }; result: Uint8Array };
  nearAddresses: { input: NearAddresses; result: ComparedAddresses };
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskResult<Name extends TaskName> = Tasks[Name]["result"];

const tasks: { [Name in TaskName]: (input: TaskInput<Name>) => Promise<TaskResult<Name>> } = {
  async jobListPdf({ fonts, list }) {
    const { renderJobListPdf } = await import("../job-list-pdf.ts");
    return renderJobListPdf(list, { fonts });
  },
  async nearAddresses(search) {
    const { findNear } = await import("../../store/queries/match-key.ts");
    return findNear(search);
  },
};

export interface TaskRunner {
  /** Throws the task's errors, and `overloaded` after a timeout or if too many tasks wait. */
  run<Name extends TaskName>(tenantId: number, name: Name, input: TaskInput<Name>): Promise<TaskResult<Name>>;
  close(): Promise<void>;
}

/** For commands, which can wait for the task. */
export const inThisThread: TaskRunner = {
  run: (_tenantId, name, input) => runTask(name, input),
  close: async () => undefined,
};

export function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
): Promise<TaskResult<Name>> {
  return tasks[name](input);
}
