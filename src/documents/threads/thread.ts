import { DispatchError } from "../../errors/errors.ts";
import { runTask, type TaskInput, type TaskName, type TaskResult } from "./tasks.ts";

/** A task as a thread is sent it. */
export interface TaskMessage<Name extends TaskName = TaskName> {
  name: Name;
  input: TaskInput<Name>;
}

/** What a thread sends back. An error that crosses threads is no DispatchError any more, so its violations are sent. */
export type TaskOutcome<Name extends TaskName = TaskName> =
  | { result: TaskResult<Name> }
  | { violations: DispatchError["violations"] };

/** What a thread of the pool does: the entry of a build of its own, which piscina loads in each thread. */
export default async function runInThread({ input, name }: TaskMessage): Promise<TaskOutcome> {
  try {
    return { result: await runTask(name, input) };
  } catch (error) {
    if (error instanceof DispatchError) return { violations: error.violations };
    throw error;
  }
}
