import { type Command, Option } from "commander";
import { failure } from "../../../errors/errors.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../../runtime/clock.ts";
import { wholeTenant } from "../../../store/access/row-scopes.ts";
import { toSize } from "../../../store/life/size.ts";
import type { TenantStore } from "../../../store/tenant-store.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { showRecords } from "../../output/show.ts";
import { showFacts } from "../../output/tell.ts";
import { toCellText } from "../../output/text.ts";
import { readSettings } from "../../settings.ts";
import { openTarget, storeOf } from "../../target/target.ts";
import { useStore } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

const statsGroupings = ["month", "customer", "truck", "driver"] as const;

const dayMs = 86_400_000;
const days = 7;

export function statsCommand(context: CliContext): Command {
  const command = defineBuiltin("stats", "read")
    .description(
      `Count the records of a tenant: jobs by state, scheduled within ${days} days of today; events of the last ${days} days with their deliveries; retention rules; and the size of the store.`,
    )
    .addOption(
      new Option("--by <what>", `count the scheduled jobs by ${statsGroupings.join(", ")}`).choices(
        statsGroupings,
      ),
    )
    .option("--month <month>", "with --by: a month like 2026-11 or november, or this, or last")
    .option("--from <day>", "with --by: scheduled on this day or later; default: 365 days ago")
    .option("--to <day>", "with --by: scheduled on this day or earlier; default: today")
    .option("--location <name>", "with --by: only jobs of this location")
    .addOption(
      new Option("--all-tenants", "list every tenant of a store with its counts, most jobs first").conflicts([
        ...["by", "from", "location", "month", "to"],
      ]),
    );
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async () => {
    const options = command.opts();
    if (options.by !== undefined) return await (await import("./stats-by.ts")).showStatsBy(context, options);
    const settings = readSettings(context, options);
    const { allTenants, from, month, to } = options;
    if ((from ?? month ?? to) !== undefined) throw failure("usage", "--month, --from, and --to need --by.");
    if (settings.url.value !== null)
      throw failure("usage", "`stats` works on a store (--data), on the machine of the store.");
    if (allTenants === true) return await listTenants(context, options);
    const { readStoreSize } = await import("../../../store/life/store-size.ts");
    const target = await openTarget(context, settings);
    if (!target.store) throw failure("usage", "`stats` works on a store (--data).");
    try {
      const { service, actor } = target.store;
      const { tenant } = target;
      const counts = await service.store.read(actor.scope, (store) => countAll(store, service.clock.now()));
      const { bytes, logBytes } = await readStoreSize(storeOf(settings).value, context.env);
      const store = { bytes, log_bytes: logBytes };
      const facts = { ...counts, store, target: target.name, tenant: { id: tenant.id, name: tenant.name } };
      showFacts(context, settings, facts, toLines(facts));
    } finally {
      await target.close();
    }
  });
}

const notes = `
With --by the command counts the jobs of a period by state, on servers too. A job is
on time if it was completed before its desired end or, without a desired end, on its
scheduled day. The weight is the net weight of the completed jobs.

Examples:
  dispatch-cli stats
  dispatch-cli stats --by month
  dispatch-cli stats --by driver --month last
  dispatch-cli stats --all-tenants`;

async function countAll({ retention, statistics }: TenantStore, now: Timestamp) {
  const today = toEpochMs(`${now.slice(0, 10)}T00:00:00.000000`);
  const from = toTimestamp(today - days * dayMs);
  const to = toTimestamp(today + (days + 1) * dayMs);
  return {
    deliveries_by_status: await statistics.deliveriesByStatus(from),
    deliveries_pending: await statistics.countPending(),
    events_by_day: await statistics.eventsByDay(from),
    jobs_by_state: await statistics.jobsByState(from, to),
    kept_for: Object.fromEntries((await retention.rules()).map(({ keptFor, kind }) => [kind, keptFor])),
    last_changed_on: await statistics.lastChangedOn(),
    since: from,
    totals: await statistics.totals(),
    until: to,
  };
}

function listTenants(context: CliContext, options: OptionValues): Promise<void> {
  return useStore(context, options, async ({ store }, settings) => {
    const records = [];
    for (const { id, name } of await store.accounts.tenants()) {
      const counts = await store.read({ tenantId: id, rowScopes: wholeTenant }, async ({ statistics }) => ({
        ...(await statistics.totals()),
        deliveries_pending: await statistics.countPending(),
        last_changed_on: await statistics.lastChangedOn(),
      }));
      records.push({ id, name, ...counts });
    }
    await showRecords(
      context,
      settings,
      records.toSorted((one, other) => other.jobs - one.jobs),
      columns,
    );
  });
}

const columns = [
  ...["id", "name", "jobs", "customers", "users", "trucks", "hooks", "events", "deliveries"],
  ...["deliveries_pending", "audit", "last_changed_on"],
];

type Counts = Awaited<ReturnType<typeof countAll>>;

function toLines(
  facts: Counts & {
    store: { bytes: number; log_bytes: number };
    target: string;
    tenant: { id: number; name: string };
  },
): string[] {
  const { store, target, tenant, totals } = facts;
  const lastDay = toTimestamp(toEpochMs(facts.until) - dayMs).slice(0, 10);
  const lines: [string, string][] = [
    ["store", `${target}, ${toSize(store.bytes)}, ${toSize(store.log_bytes)} in its log`],
    ["tenant", `${tenant.id} (${tenant.name})`],
    ["last change", facts.last_changed_on === null ? "–" : toCellText(facts.last_changed_on, "second")],
    ...Object.entries(totals).map(([name, total]): [string, string] => [name, String(total)]),
    ["deliveries pending", String(facts.deliveries_pending)],
    ["jobs by state", `${facts.since.slice(0, 10)} to ${lastDay}: ${toList(facts.jobs_by_state)}`],
    ["events by day", `since ${facts.since.slice(0, 10)}: ${toList(facts.events_by_day)}`],
    ["their deliveries", toList(facts.deliveries_by_status)],
    ["kept for", toList(facts.kept_for)],
  ];
  const width = Math.max(...Object.keys(totals).map((name) => name.length), "deliveries pending".length);
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

function toList(counts: Readonly<Record<string, number | string>>): string {
  const parts = Object.entries(counts).map(([name, total]) => `${name} ${total}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}
