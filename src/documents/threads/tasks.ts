import type { ComparedAddresses, NearAddresses } from "../../store/queries/near-addresses.ts";
import type { JobListDocument } from "../job-list-layout.ts";

/**
 * Work that takes so long that a server must not do it between requests. Input and result are plain data, which can be
 * sent to a thread and back.
 */
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
    const { findNear } = await import("../../store/queries/near-addresses.ts");
    return findNear(search);
  },
};

/** Runs tasks: in this thread, or in others. */
export interface TaskRunner {
  /**
   * Runs a task for a tenant. Throws what the task throws, and `overloaded` when it was not done in time or too many wait.
   */
  run<Name extends TaskName>(tenantId: number, name: Name, input: TaskInput<Name>): Promise<TaskResult<Name>>;
  close(): Promise<void>;
}

/** Runs tasks where they are asked for: a command has nothing else to do meanwhile. */
export const inThisThread: TaskRunner = {
  run: (_tenantId, name, input) => runTask(name, input),
  close: async () => undefined,
};

/** Runs one task in this thread. */
export function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
): Promise<TaskResult<Name>> {
  return tasks[name](input);
}
