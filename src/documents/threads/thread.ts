import { DispatchError } from "../../errors/errors.ts";
import { runTask, type TaskInput, type TaskName, type TaskResult } from "./tasks.ts";

export interface TaskMessage<Name extends TaskName = TaskName> {
  name: Name;
  input: TaskInput<Name>;
}

/** A DispatchError loses its class between threads, so only its violations cross. */
export type TaskOutcome<Name extends TaskName = TaskName> =
  | { result: TaskResult<Name> }
  | { violations: DispatchError["violations"] };

/** The entry of a separate build, which piscina loads in each thread. */
export default async function runInThread({ input, name }: TaskMessage): Promise<TaskOutcome> {
  try {
    return { result: await runTask(name, input) };
  } catch (error) {
    if (error instanceof DispatchError) return { violations: error.violations };
    throw error;
  }
}
