import { Command } from "commander";
import { holdDeliveries, readHold, toHoldSentence } from "../../../store/held-deliveries.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/show-facts.ts";
import { readSettings } from "../../settings.ts";
import { useStore } from "../../target/use-store.ts";
import { waitForAttempts } from "../../target/wait-for-attempts.ts";

/** Holds the webhook deliveries of a store, of all its tenants. */
export function hooksPauseCommand(context: CliContext): Command {
  const command = new Command("pause")
    .description(
      "Hold the webhook deliveries of a store, of all its tenants, whoever serves it. Events go on being written; `hooks resume` sends or discards them.",
    )
    .option("--reason <text>", "why, for those who wonder", "paused by hand");
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    '\nExample:\n  dispatch-cli hooks pause --reason "the receivers move to another address"',
  );
  return command.action(() => {
    const settings = readSettings(context, command.opts());
    return useStore(context, settings, async (service) => {
      const { metadata } = service.store;
      const before = await readHold(metadata);
      const hold = before ?? { since: service.clock.now(), reason: String(command.opts().reason) };
      if (before === null) {
        await holdDeliveries(metadata, hold);
        await waitForAttempts(context, service);
      }
      showFacts(context, settings, { held: hold }, [
        toHoldSentence(hold),
        "`dispatch-cli hooks resume` lets them go on.",
      ]);
    });
  });
}
