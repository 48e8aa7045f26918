import type { Board } from "../../../../board/board.ts";
import { DispatchError } from "../../../../errors/errors.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import { loadOperation } from "../../../../operations/index.ts";
import type { CliContext, OptionValues } from "../../../context.ts";
import { FailedCommand } from "../../../input/failed-command.ts";
import { toCommandFlags } from "../../../operation-command/command-operations.ts";
import { runOperation } from "../../../operation-command/run-operation.ts";
import { loadPresentation } from "../../../presentation/index.ts";
import type { Settings } from "../../../settings.ts";
import { openChanges } from "../../../target/changes.ts";
import type { Target } from "../../../target/target.ts";
import { describeUndo } from "../../undo/describe-undo.ts";
import { describeJob } from "./describe-job.ts";
import { runDesk } from "./run-desk.ts";

export async function openDesk(
  context: CliContext,
  desk: {
    changeDay(by: number): void;
    colour: boolean;
    look(): Promise<Board>;
    options: OptionValues;
    settings: Settings;
    target: Target;
    toTypedAt(locationId: number): TypedAt;
  },
): Promise<void> {
  const { interactive: _, ...options } = desk.options;
  const changes = openChanges(desk.target);
  await runDesk(context, {
    isDue: changes.isDue,
    changeDay: desk.changeDay,
    client: desk.target.client,
    colour: desk.colour,
    describeJob: (job) => {
      const { now, zone } = desk.toTypedAt(job.location_id);
      return describeJob(desk.target.client, job, { today: zone.dateOf(now), zone });
    },
    describeUndo: (undo) => describeUndo(desk.target, undo, desk.settings.isUtc),
    look: desk.look,
    makeJob: (day) => makeJob(context, desk.target, { ...options, scheduleDate: day }),
    toTypedAt: desk.toTypedAt,
  }).finally(() => changes.end());
}

/** Returns whether it created a job. Throws its error, except for Ctrl-C at a question. */
async function makeJob(context: CliContext, target: Target, options: OptionValues): Promise<boolean> {
  const operation = await loadOperation("jobs.create");
  const presentation = await loadPresentation("jobs.create");
  const operations = { atLocation: null, operation, presentation };
  try {
    const given = { flags: toCommandFlags(operations), operations, options, own: null };
    // The board's cached lists, such as locations, may be outdated.
    await runOperation(context, given, { ...target, client: { ...target.client } });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "ExitPromptError") return false;
    if (error instanceof FailedCommand && error.failure instanceof DispatchError) throw error.failure;
    throw error;
  }
}
