import { Command, Option } from "commander";
import { readHold, toHoldSentence } from "../../../store/held-deliveries.ts";
import { allowsPrivateHooks, setPrivateHooks } from "../../../store/private-hooks.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/show-facts.ts";
import { readSettings } from "../../settings.ts";
import { useStore } from "../../target/use-store.ts";

/** Shows where the webhooks of a store may lead, and changes it. */
export function storePolicyCommand(context: CliContext): Command {
  const command = new Command("policy")
    .description(
      "Show whether webhooks of a store may lead to private addresses and whether deliveries are held; allow or refuse private addresses for every program that delivers from it, running ones too.",
    )
    .addOption(
      new Option("--private-hooks <word>", "allow or refuse addresses that are not public").choices([
        "allow",
        "refuse",
      ]),
    );
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli store policy --private-hooks allow",
  );
  return command.action(() => {
    const { privateHooks, ...options } = command.opts();
    const settings = readSettings(context, options);
    return useStore(context, settings, async ({ store: { metadata } }) => {
      if (privateHooks !== undefined) await setPrivateHooks(metadata, privateHooks === "allow");
      const areAllowed = await allowsPrivateHooks(metadata.get);
      const hold = await readHold(metadata);
      showFacts(
        context,
        settings,
        { deliveries_held: hold, private_hooks: areAllowed ? "allowed" : "refused" },
        [
          areAllowed
            ? "Webhooks may lead to private addresses."
            : "Webhooks lead to public addresses only; `--private-hooks allow` lets them lead to others.",
          hold === null ? "Deliveries to webhooks are made." : toHoldSentence(hold),
        ],
      );
    });
  });
}
