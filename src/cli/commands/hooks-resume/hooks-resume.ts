import { basename } from "node:path";
import type { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import { type Hold, readHold, resumeDeliveries, toHoldSentence } from "../../../store/held-deliveries.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { requireTypedName, requireYes } from "../../prompts/require-yes.ts";
import { describeDeliverers, refuseTenant } from "../../target/delivery-notes.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { storeOf } from "../../target/target.ts";
import { useStore } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

export function hooksResumeCommand(context: CliContext): Command {
  const command = defineBuiltin("resume", "dangerous")
    .description(
      "Send the deliveries held since a restore, a copy, or a pause. Shows the number of pending deliveries by host, and asks for confirmation.",
    )
    .option("--discard", "cancel pending deliveries; only new events are sent")
    .option("--yes", "do not ask for confirmation");
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks resume --discard --yes",
  );
  return command.action(() => {
    const { discard = false, yes, ...options } = command.opts();
    refuseTenant(options);
    return useStore(context, options, async (service, settings) => {
      const keys = readSecretKeys(context, settings);
      const hold = await readHold(service.store.metadata);
      const hosts = await countByHost(service);
      const pending = hosts.reduce((sum, { count }) => sum + count, 0);
      const facts = { held: hold, hosts, pending, discarded: 0 };
      if (hold === null)
        return showFacts(context, settings, facts, ["Deliveries are not held. Nothing changed."]);
      if (yes !== true) tellPending(context, hold, hosts);
      const question = toQuestion(pending, discard);
      // Asks first, because discarded deliveries are gone.
      if (discard && pending > 0)
        await requireTypedName(context, question, basename(toShownStore(storeOf(settings).value)), { yes });
      else await requireYes(context, question, { yes });
      const discarded = await resumeDeliveries(service.store, discard ? service.clock.now() : null);
      const goesOn =
        pending === 0
          ? "Deliveries resumed. None is pending."
          : `Deliveries resumed, with ${countPending(pending)}; ${await describeDeliverers(service, keys)}.`;
      showFacts(context, settings, { ...facts, discarded }, [
        discard ? `Discarded ${countPending(discarded)}. New events are sent.` : goesOn,
      ]);
    });
  });
}

interface Host {
  host: string;
  count: number;
}

/** The host with the most deliveries comes first. */
async function countByHost({ store }: Service): Promise<Host[]> {
  const counts = new Map<string, number>();
  for (const { url, count } of await store.backlog.pendingByUrl()) {
    const { host } = new URL(url);
    counts.set(host, (counts.get(host) ?? 0) + count);
  }
  return Array.from(counts, ([host, count]) => ({ host, count })).sort((a, b) => b.count - a.count);
}

function tellPending({ stderr }: CliContext, hold: Hold, hosts: readonly Host[]): void {
  tell(stderr, toHoldSentence(hold));
  for (const { host, count } of hosts) tell(stderr, `  ${count} pending to ${host}`);
  if (hosts.length === 0) tell(stderr, "Nothing is pending.");
}

function toQuestion(pending: number, isDiscarding: boolean): string {
  const verb = isDiscarding ? "Discard" : "Send";
  return `${verb} ${countPending(pending)}, and send new events?`;
}

const countPending = (count: number) => (count === 1 ? "1 pending delivery" : `${count} pending deliveries`);
