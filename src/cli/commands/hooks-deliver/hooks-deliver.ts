import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import type { AttemptLine, WorkerLog } from "../../../webhooks/worker-log.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/show-facts.ts";
import { tell } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { storeOf } from "../../target/target.ts";

/** Makes the webhook deliveries that are due in a store, of all its tenants; with --watch until it is asked to end. */
export function hooksDeliverCommand(context: CliContext): Command {
  const command = new Command("deliver")

    .description("Make the webhook deliveries that are due in a store, of all its tenants.")
    .option("--data <file>", "the store (DISPATCH_DATA)")
    .option("--watch", "go on, as a worker of its own, until interrupted")
    .option("--allow-private-hooks", "with --watch deliver to private addresses too");
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli hooks deliver");
  return command.action(async () => {
    const { watch = false, ...options } = command.opts();
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure("usage", "`hooks deliver` works on a store (--data); a server delivers by itself.");
    const data = storeOf(settings).value;
    // One round by hand may deliver to this machine. With --watch it stands in for a server that others may reach
    // (OP-71).
    const { openService } = await import("../../../local/open-service.ts");
    const service = openService({ data, allowsPrivateHooks: !watch || options.allowPrivateHooks === true });
    const counts = { attempts: 0, cancelled: 0, delivered: 0, failed: 0, to_be_retried: 0 };
    try {
      const { startWorker } = await import("../../../webhooks/worker.ts");
      const worker = startWorker(service, { log: toLog(context, counts) });
      const interrupted = new Promise<void>((resolve) => context.onInterrupt(resolve));
      await Promise.race([watch ? interrupted : worker.drain(), interrupted]);
      await worker.stop(graceMs);
      const oldest = await service.store.backlog.oldestPendingDelivery();
      const facts = { ...counts, oldest_pending_delivery: oldest };
      showFacts(context, settings, facts, [
        `Attempts ${counts.attempts}: delivered ${counts.delivered}, to be retried ${counts.to_be_retried}, given up ${counts.failed}, cancelled ${counts.cancelled}.`,
        oldest === null ? "Nothing is pending." : `The oldest pending delivery is of ${oldest}.`,
      ]);
    } finally {
      await service.store.close();
    }
  });
}

const graceMs = 10_000;

/** Counts attempts and tells of each that did not succeed, on stderr. */
function toLog(context: CliContext, counts: Record<string, number>): WorkerLog {
  return {
    attempt: (line) => {
      counts.attempts = (counts.attempts ?? 0) + 1;
      const outcome = line.status === "pending" ? "to_be_retried" : line.status;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (line.status !== "delivered") tell(context.stderr, toText(line));
    },
    fault: (error) =>
      void tell(context.stderr, `fault: ${error instanceof Error ? error.message : String(error)}`),
  };
}

function toText({
  hook,
  kind,
  record,
  attempt,
  message,
  next_attempt_on: next,
  disabled,
}: AttemptLine): string {
  const then = disabled ? ` Webhook ${hook} was deactivated.` : next ? ` Next attempt on ${next}.` : "";
  return `webhook ${hook}, ${kind} ${record}, attempt ${attempt}: ${message}${then}`;
}
