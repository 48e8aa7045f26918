import type { Caller } from "../../../../core/caller.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import { createClient } from "../../../../operations/client.ts";
import { loadOperation } from "../../../../operations/index.ts";
import type { CliContext, OptionValues } from "../../../context.ts";
import { toCommandFlags } from "../../../operation-command/command-operations.ts";
import { runOperation } from "../../../operation-command/run-operation.ts";
import { loadPresentation } from "../../../presentation/index.ts";
import type { Board } from "../board.ts";
import { runDesk } from "./run-desk.ts";

/** Opens the screen of a dispatcher; a new job is asked for as `jobs create` does, with the options of this command. */
export async function openDesk(
  context: CliContext,
  desk: {
    caller: Caller;
    colour: boolean;
    look(): Promise<Board>;
    options: OptionValues;
    toTypedAt(locationId: number): TypedAt;
  },
): Promise<void> {
  const { interactive: _, ...options } = desk.options;
  await runDesk(context, {
    client: createClient(desk.caller),
    colour: desk.colour,
    everyMs,
    look: desk.look,
    makeJob: async () => {
      const operation = await loadOperation("jobs.create");
      const presentation = await loadPresentation("jobs.create");
      const operations = { atLocation: null, operation, presentation };
      await runOperation(context, { flags: toCommandFlags(operations), operations, options, own: null });
    },
    toTypedAt: desk.toTypedAt,
  });
}

/** Between two looks at what others do. */
const everyMs = 2000;
