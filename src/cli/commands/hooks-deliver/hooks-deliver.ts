import { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import { failure } from "../../../errors/errors.ts";
import { readHold, toHoldSentence } from "../../../store/held-deliveries.ts";
import { checkSecretKeys, lacksKey } from "../../../store/life/reseal-secrets.ts";
import type { WorkerLog } from "../../../webhooks/worker-log.ts";
import { addFormOption } from "../../common-options.ts";
import { configOption, toOption } from "../../configuration/config-option.ts";
import { readConfiguration } from "../../configuration/read-configuration.ts";
import type { CliContext, Screen } from "../../context.ts";
import { drainOption, endWithin, toDrain } from "../../outcome/drain.ts";
import { describeAttempt, toLossSentence } from "../../output/readable-log.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { storeOf, tellWait } from "../../target/target.ts";
import { allowPrivateHooksOption, serveOptions } from "../serve/serve-options.ts";

/** Makes the webhook deliveries that are due in a store, of all its tenants; with --watch until it is asked to end. */
export function hooksDeliverCommand(context: CliContext): Command {
  const command = new Command("deliver")
    .description("Make the webhook deliveries that are due in a store, of all its tenants.")
    .option("--data <file>", "the store (DISPATCH_DATA)")
    .option("--secret-key-file <file>", "file of mode 0600 that holds the key of encrypted secrets")
    .option("--watch", "go on, as a worker of its own, until interrupted")
    .addOption(toOption(allowPrivateHooksOption))
    .addOption(toOption(drainOption))
    .addOption(configOption());
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli hooks deliver");
  return command.action(async () => {
    const { options } = await readConfiguration(context, command, { table: serveOptions });
    const watch = options.watch === true;
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure("usage", "`hooks deliver` works on a store (--data); a server delivers by itself.");
    const data = storeOf(settings).value;
    const { openService } = await import("../../../local/open-service.ts");
    const secretKeys = readSecretKeys(context, settings);
    const service = openService({
      data,
      env: context.env,
      secretKeys,
      allowsPrivateHooks: options.allowPrivateHooks === true,
      onWait: () => tellWait(context, data),
    });
    const counts = { attempts: 0, cancelled: 0, delivered: 0, failed: 0, to_be_retried: 0 };
    try {
      await checkSecretKeys(service.store, secretKeys);
      const log = await context.openLog(toLossSentence);
      await tellHold(log, service, watch);
      if (await lacksKey(service.store, secretKeys)) tell(log, keyNote);
      const { startWorker } = await import("../../../webhooks/worker.ts");
      const worker = startWorker(service, { log: toLog(log, counts), leaves: watch });
      const interrupted = new Promise<void>((resolve) => context.onInterrupt(resolve));
      await Promise.race([watch ? interrupted : worker.drain(), interrupted]);
      const drain = toDrain(options);
      const ending = worker.stop(drain.cutMs).then(() => showOutcome(context, settings, service, counts));
      await endWithin(
        context,
        drain,
        ending.then(() => service.store.close()),
      );
    } catch (error) {
      await service.store.close();
      throw error;
    }
  });
}

const keyNote =
  "The key of the store's encrypted secrets was not given: deliveries that need it wait (`secrets status` names it; --secret-key-file).";

type Counts = Record<"attempts" | "cancelled" | "delivered" | "failed" | "to_be_retried", number>;

async function showOutcome(
  context: CliContext,
  settings: Settings,
  { store }: Service,
  counts: Counts,
): Promise<void> {
  const oldest = await store.backlog.oldestPendingDelivery();
  const facts = { ...counts, oldest_pending_delivery: oldest };
  showFacts(context, settings, facts, [
    `Attempts ${counts.attempts}: delivered ${counts.delivered}, to be retried ${counts.to_be_retried}, given up ${counts.failed}, cancelled ${counts.cancelled}.`,
    oldest === null ? "Nothing is pending." : `The oldest pending delivery is of ${oldest}.`,
  ]);
}

/** A worker waits for held deliveries to go on; a single round would do nothing. Throws state_conflict for that. */
async function tellHold(log: Pick<Screen, "write">, { store }: Service, isWaiting: boolean): Promise<void> {
  const hold = await readHold(store.metadata);
  if (hold === null) return;
  if (!isWaiting)
    throw failure("state_conflict", `${toHoldSentence(hold)} \`hooks resume\` lets them go on.`);
  tell(log, `${toHoldSentence(hold)} Waiting until \`hooks resume\` lets them go on.`);
}

/** Counts attempts and tells of each that did not succeed, on stderr. */
function toLog(log: Pick<Screen, "write">, counts: Counts): WorkerLog {
  return {
    attempt: (line) => {
      counts.attempts = (counts.attempts ?? 0) + 1;
      const outcome = line.state === "pending" ? "to_be_retried" : line.state;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (line.state !== "delivered")
        tell(
          log,
          describeAttempt(line, (next) => `on ${next}`),
        );
    },
    fault: (error) => void tell(log, `fault: ${error instanceof Error ? error.message : String(error)}`),
  };
}
