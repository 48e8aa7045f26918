import type { Command } from "commander";
import type { AnswerNamed } from "../../../client/client.ts";
import { DispatchError } from "../../../errors/errors.ts";
import { type Retained, retentionKinds } from "../../../models/retention.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import { type CliContext, isInteractive, type OptionValues } from "../../context.ts";
import { type Interruption, watchInterruption } from "../../outcome/interruption.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { say, tellJson } from "../../output/tell.ts";
import { toCellText } from "../../output/text.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { eachTenant } from "../../target/each-tenant.ts";
import type { Target } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function pruneCommand(context: CliContext): Command {
  const command = defineBuiltin("prune", "dangerous")
    .description(
      "Delete expired data (see `retention show`) and tenants whose time has come, and finish erasures. It works in batches, so that servers keep running, and may be interrupted and repeated. Works on every tenant of a store, or on --tenant 1,2,3.",
    )
    .option("--plan", "show what would be deleted, without a change")
    .option("--yes", "do not ask for confirmation");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async () => {
    const { plan, yes, ...options } = command.opts();
    const due = await readDue(context, options);
    if (plan === true) {
      showPlan(context, due);
      return;
    }
    const total = due.all.reduce((sum, { rows }) => sum + rows, 0);
    const tenants = due.all.filter(({ isDeleted }) => isDeleted).length;
    if (total > 0 || tenants > 0) {
      if (yes !== true && isInteractive(context))
        for (const line of due.all.flatMap(toPlanLines)) say(context.stderr, line);
      await requireYes(context, `Delete ${toAmount(total, tenants)} in ${due.where} for good?`, { yes });
    }
    await pruneAll(context, options, total);
  });
}

function toAmount(rows: number, tenants: number): string {
  const whole = tenants === 1 ? "1 tenant" : `${tenants} tenants`;
  if (tenants === 0) return `these ${rows} rows`;
  return rows === 0 ? whole : `${whole} and these ${rows} rows`;
}

interface Due {
  /** The deletion date of the whole tenant has passed. */
  isDeleted: boolean;
  kinds: { due: number; kept_for: string; kind: Retained; oldest_on: string | null }[];
  rows: number;
  tenant: { id: number; name: string };
}

async function readDue(context: CliContext, options: OptionValues) {
  const all: Due[] = [];
  let [form, where] = ["table", ""];
  await eachTenant(context, options, true, async (target, settings) => {
    const { client, name, tenant } = target;
    [form, where] = [settings.form, name];
    const rules = await client.call("retention.show", {});
    const kinds = rules
      .filter(({ due }) => due > 0)
      .map(({ due, kept_for, kind, oldest_on }) => ({ due, kept_for, kind, oldest_on }));
    const rows = kinds.reduce((sum, { due }) => sum + due, 0);
    all.push({ isDeleted: await isDue(target), kinds, rows, tenant: { id: tenant.id, name: tenant.name } });
  });
  return { all, form, where };
}

async function isDue({ clock, store, tenant }: Target): Promise<boolean> {
  const due = await store?.service.store.housekeeping.tenantsToDelete(clock.now());
  return due?.includes(tenant.id) === true;
}

function showPlan(context: CliContext, { all, form }: Awaited<ReturnType<typeof readDue>>): void {
  if (form !== "table") {
    tellJson(context.stdout, all);
    return;
  }
  const lines = all.flatMap(toPlanLines);
  for (const line of lines.length > 0 ? lines : ["No data has expired."]) say(context.stdout, line);
}

function toPlanLines({ isDeleted, kinds, tenant }: Due): string[] {
  if (isDeleted) return [`tenant ${tenant.id} (${tenant.name}): the whole tenant`];
  return kinds.map(
    ({ due, kept_for, kind, oldest_on }) =>
      `tenant ${tenant.id} (${tenant.name}): ${due} ${kind} older than ${kept_for}, the oldest of ${oldest_on === null ? "–" : toCellText(oldest_on, "second")}`,
  );
}

async function pruneAll(context: CliContext, options: OptionValues, total: number): Promise<void> {
  const interruption = watchInterruption(context);
  const progress = createProgressLine(context);
  const all: (Pruned & { tenant: Due["tenant"] })[] = [];
  let [done, form] = [0, "table"];
  const tell = (count: number) => {
    done += count;
    progress.show(`${done} of ${Math.max(done, total)} rows removed`);
  };
  try {
    await eachTenant(context, options, true, async (target, settings) => {
      form = settings.form;
      const { id, name } = target.tenant;
      try {
        all.push({ ...(await pruneTenant(target, interruption, tell)), tenant: { id, name } });
      } catch (error) {
        if (!(error instanceof DispatchError) || error.violations[0].code !== "tenant_frozen") throw error;
        say(context.stderr, `tenant ${id} (${name}) is frozen: nothing was removed`);
      }
    });
  } finally {
    progress.end();
  }
  if (form !== "table") {
    tellJson(context.stdout, all);
    return;
  }
  for (const { tenant, ...pruned } of all)
    say(context.stdout, `tenant ${tenant.id} (${tenant.name}): ${toCounts(pruned)}`);
}

interface Pruned {
  /** The rows of a deleted tenant; null for others. */
  deleted_rows: number | null;
  erasures: number;
  removed: Record<Retained, number>;
}

/** Other writers run between two batches. The pause is longer while a delivery attempt runs. */
const pauseMs = 50;
const waitMs = 1000;

async function pruneTenant(
  target: Target,
  interruption: Interruption,
  tell: (count: number) => void,
): Promise<Pruned> {
  const { client, store, tenant } = target;
  const removed: Record<Retained, number> = { audit: 0, chats: 0, deliveries: 0, events: 0, gps: 0 };
  let erasures = 0;
  if (store && (await isDue(target))) {
    const { deleteTenant } = await import("../../../webhooks/prune.ts");
    const deleted = await interruption.during(deleteTenant(store.service, tenant.id));
    return { deleted_rows: deleted, erasures, removed };
  }
  for (;;) {
    const batch: AnswerNamed<"retention.apply"> = await interruption.during(
      client.call("retention.apply", { body: { kinds: retentionKinds } }),
    );
    let count = 0;
    for (const kind of retentionKinds) {
      removed[kind] += batch[kind];
      count += batch[kind];
    }
    erasures += batch.erasures ?? 0;
    if (count > 0) tell(count);
    if (batch.is_done) return { deleted_rows: null, erasures, removed };
    await interruption.wait(batch.is_waiting ? waitMs : pauseMs);
  }
}

function toCounts({ deleted_rows: deleted, erasures, removed: counts }: Pruned): string {
  if (deleted !== null) return `deleted the tenant, ${deleted} rows`;
  const parts = retentionKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  const removed = parts.length === 0 ? "no data had expired" : `removed ${parts.join(", ")}`;
  if (erasures === 0) return removed;
  return `${removed}; finished ${erasures === 1 ? "an erasure" : `${erasures} erasures`}`;
}

const notes = `
Examples:
  dispatch-cli prune --plan
  dispatch-cli prune --yes
  dispatch-cli prune --tenant 1,2 --yes`;
