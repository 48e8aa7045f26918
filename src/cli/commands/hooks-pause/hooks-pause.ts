import type { Command } from "commander";
import { holdDeliveries, readHold } from "../../../store/held-deliveries.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import { refuseTenant, toHoldNote } from "../../target/delivery-notes.ts";
import { storeOf } from "../../target/target.ts";
import { useStore } from "../../target/use-target.ts";
import { waitForAttempts } from "../../target/wait-for-attempts.ts";
import { defineBuiltin } from "../builtin.ts";

export function hooksPauseCommand(context: CliContext): Command {
  const command = defineBuiltin("pause", "write")
    .description(
      "Hold the webhook deliveries of all tenants of a store, for every server. Events are still stored; `hooks resume` sends or discards them.",
    )
    .option("--reason <text>", "reason to show; replaces the current one");
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    '\nExample:\n  dispatch-cli hooks pause --reason "the receivers move to another address"',
  );
  return command.action(() => {
    const { reason, ...options } = command.opts();
    refuseTenant(options);
    return useStore(context, options, async (service, settings) => {
      const { metadata } = service.store;
      const before = await readHold(metadata);
      const since = before?.since ?? service.clock.now();
      const hold = { since, reason: String(reason ?? before?.reason ?? "paused by hand") };
      if (hold.reason !== before?.reason) await holdDeliveries(metadata, hold);
      if (before === null) await waitForAttempts(context, service);
      showFacts(context, settings, { held: hold }, [toHoldNote(hold, storeOf(settings).value)]);
    });
  });
}
