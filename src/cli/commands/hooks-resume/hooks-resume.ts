import { basename } from "node:path";
import { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import { type Hold, readHold, resumeDeliveries, toHoldSentence } from "../../../store/held-deliveries.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { requireTypedName, requireYes } from "../../prompts/require-yes.ts";
import { readSettings } from "../../settings.ts";
import { describeDeliverers } from "../../target/delivery-notes.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { storeOf } from "../../target/target.ts";
import { useStore } from "../../target/use-store.ts";

/** Lets the held webhook deliveries of a store go on, after showing where they would go. */
export function hooksResumeCommand(context: CliContext): Command {
  const command = new Command("resume")
    .description(
      "Let the webhook deliveries of a store go on that were held since it was restored, copied or paused. It shows how many are pending and to which hosts, and asks.",
    )
    .option(
      "--discard",
      "cancel what is pending instead of sending it: only what happens from now on is sent",
    )
    .option("--yes", "do it without asking");
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks resume --discard --yes",
  );
  return command.action(() => {
    const { discard = false, yes, ...options } = command.opts();
    const settings = readSettings(context, options);
    const keys = readSecretKeys(context, settings);
    return useStore(context, settings, async (service) => {
      const hold = await readHold(service.store.metadata);
      const hosts = await countByHost(service);
      const pending = hosts.reduce((sum, { count }) => sum + count, 0);
      const facts = { held: hold, hosts, pending, discarded: 0 };
      if (hold === null)
        return showFacts(context, settings, facts, [
          "Deliveries to webhooks are not held; nothing was changed.",
        ]);
      if (yes !== true) tellPending(context, hold, hosts);
      const question = toQuestion(pending, discard);
      // What is discarded is sent by nobody any more.
      if (discard && pending > 0)
        await requireTypedName(context, question, basename(toShownStore(storeOf(settings).value)), { yes });
      else await requireYes(context, question, { yes });
      const discarded = await resumeDeliveries(service.store, discard ? service.clock.now() : null);
      const goesOn =
        pending === 0
          ? "Deliveries go on; none is pending."
          : `Deliveries go on, with ${countPending(pending)}; ${await describeDeliverers(service, keys)}.`;
      showFacts(context, settings, { ...facts, discarded }, [
        discard ? `Discarded ${countPending(discarded)}. What happens from now on is sent.` : goesOn,
      ]);
    });
  });
}

interface Host {
  host: string;
  count: number;
}

/** How many deliveries are pending for each host, the most first. */
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
  return `${verb} ${countPending(pending)}, and send what happens from now on?`;
}

const countPending = (count: number) => (count === 1 ? "1 pending delivery" : `${count} pending deliveries`);
