import type { Command } from "commander";
import { readHold, toHoldSentence } from "../../../store/held-deliveries.ts";
import type { HookHealth } from "../../../store/queries/hook-health.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { watchList } from "../../lists/watch-list.ts";
import { showRecords, toRecordOptions } from "../../output/show.ts";
import { say } from "../../output/tell.ts";
import { useStore } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

/** An exact count of a larger backlog would read too much. */
const pendingMax = 100_000;

export function hooksHealthCommand(context: CliContext): Command {
  const command = defineBuiltin("health", "read")
    .description(
      "List the webhooks of all tenants of a store that fail, were deactivated after failures, or have pending deliveries. The webhook with the most pending deliveries comes first. `pending` counts up to 100000.",
    )
    .option("--all", "list healthy webhooks too")
    .option("--watch", "refresh every two seconds, until Ctrl-C");
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks health --all",
  );
  return command.action(() => {
    const { all, watch, ...options } = command.opts();
    return useStore(context, options, async ({ store }, settings) => {
      const read = async () => {
        const hooks = await store.backlog.hookHealth(pendingMax);
        return { hooks, records: hooks.filter((hook) => all === true || needsAttention(hook)).map(toRecord) };
      };
      if (watch === true) {
        const shown = toRecordOptions(context, settings, columns);
        await watchList(context, async () => JSON.stringify((await read()).records), shown, null);
      }
      const { hooks, records } = await read();
      await showRecords(context, settings, records, columns);
      if (settings.form !== "table") return;
      say(context.stderr, toSummary(hooks));
      const hold = await readHold(store.metadata);
      if (hold) say(context.stderr, toHoldSentence(hold));
    });
  });
}

const columns = [
  "tenant_id",
  "tenant",
  "hook_id",
  "receiver",
  "state",
  "pending",
  "oldest_pending_on",
  "failing_since",
  "last_status",
  "reason",
];

const needsAttention = (hook: HookHealth) => toState(hook) !== "healthy" || hook.pending > 0;

function toState({ deactivatedReason, failingSince }: HookHealth) {
  if (deactivatedReason !== null) return "deactivated";
  return failingSince === null ? "healthy" : "failing";
}

function toRecord(hook: HookHealth) {
  return {
    tenant_id: hook.tenantId,
    tenant: hook.tenantName,
    hook_id: hook.hookId,
    // The path and query may contain a secret of the receiver.
    receiver: new URL(hook.url).origin,
    state: toState(hook),
    pending: hook.pending,
    oldest_pending_on: hook.oldestPendingOn,
    failing_since: hook.failingSince,
    last_status: hook.lastStatus,
    reason: hook.deactivatedReason ?? (hook.failingSince === null ? null : hook.lastMessage),
  };
}

function toSummary(hooks: readonly HookHealth[]): string {
  const count = (state: string) => hooks.filter((hook) => toState(hook) === state).length;
  const pending = hooks.reduce((sum, hook) => sum + hook.pending, 0);
  return `${count("healthy")} healthy, ${count("failing")} failing, ${count("deactivated")} deactivated; ${pending} deliveries pending`;
}
