import type { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import { failure } from "../../../errors/errors.ts";
import { readHold, toHoldSentence } from "../../../store/held-deliveries.ts";
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
import { defineBuiltin } from "../builtin.ts";
import { allowPrivateHooksOption, serveOptions } from "../serve/serve-options.ts";

export function hooksDeliverCommand(context: CliContext): Command {
  const command = defineBuiltin("deliver", "write")
    .description("Send the due webhook deliveries of all tenants of a store.")
    .option("--data <file>", "store to work on (DISPATCH_DATA)")
    .option("--secret-key-file <file>", "file (mode 0600) with the key of encrypted secrets")
    .option("--watch", "keep sending until interrupted")
    .addOption(toOption(allowPrivateHooksOption))
    .addOption(toOption(drainOption))
    .addOption(configOption());
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli hooks deliver");
  return command.action(async () => {
    const { options } = await readConfiguration(context, command, { table: serveOptions });
    const watch = options.watch === true;
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure(
        "usage",
        "`hooks deliver` works on a store (--data). A server sends its deliveries automatically.",
      );
    const data = storeOf(settings).value;
    const { openService } = await import("../../../core/open-service.ts");
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
      const { checkSecretKeys, lacksKey } = await import("../../../store/life/reseal-secrets.ts");
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
  "The key of the store's encrypted secrets is missing, so deliveries that need it wait. `secrets status` names the key; pass it with --secret-key-file.";

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
    `${counts.attempts} attempts: ${counts.delivered} delivered, ${counts.to_be_retried} to retry, ${counts.failed} failed, ${counts.cancelled} canceled.`,
    oldest === null ? "Nothing is pending." : `The oldest pending delivery is from ${oldest}.`,
  ]);
}

/** A worker waits while deliveries are held. A single round would do nothing, so it throws state_conflict. */
async function tellHold(log: Pick<Screen, "write">, { store }: Service, isWaiting: boolean): Promise<void> {
  const hold = await readHold(store.metadata);
  if (hold === null) return;
  if (!isWaiting)
    throw failure("state_conflict", `${toHoldSentence(hold)} Release them with \`hooks resume\`.`);
  tell(log, `${toHoldSentence(hold)} Waiting for \`hooks resume\`.`);
}

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
