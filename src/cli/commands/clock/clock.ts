import { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import { showMoment } from "../../../local-time/show-time.ts";
import { utc, Zone } from "../../../local-time/zone.ts";
import { toEpochMs } from "../../../runtime/clock.ts";
import { type ClockFacts, moveClock, readClock } from "../../../store/store-clock.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { formatOffset, parseDuration } from "../../input/option-values.ts";
import { readTyped, requireTime, tellRead, toTypedAt } from "../../input/typed-time.ts";
import { showFacts, tell } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import { useStore } from "../../target/use-target.ts";
import { waitForAttempts } from "../../target/wait-for-attempts.ts";
import { defineBuiltin } from "../builtin.ts";

export function clockCommand(context: CliContext): Command {
  return new Command("clock")
    .description(
      "Show the clock of a store, or set it in a sandbox store (`demo`, `init --sandbox`). Timestamps, retries, and expiry follow it, in running servers too. Over HTTP use `sandbox set-clock`.",
    )
    .helpCommand(false)
    .addCommand(showCommand(context))
    .addCommand(setCommand(context))
    .addCommand(advanceCommand(context))
    .addCommand(resetCommand(context));
}

function showCommand(context: CliContext): Command {
  const command = defineBuiltin("show", "read").description("Show the store's time and the machine's.");
  return addClockOptions(command, "clock show").action(() =>
    showMove(context, command, async (service) => ({ after: await readClock(service) })),
  );
}

function setCommand(context: CliContext): Command {
  const command = defineBuiltin("set", "write")
    .summary("Set the clock to a time.")
    .description(
      "Set the clock to a time: 8:00, tomorrow 8am, 12/1, 2026-12-01T08:00. The zone is the tenant's unless the time has Z or +02:00, or --utc is given.",
    )
    .argument("<time>", "the new time of the store");
  return addClockOptions(command, "clock set 2026-12-01T08:00").action((text: string) => {
    requireTime(text, "The time");
    return move(context, command, ({ machine_time, store_time }, zone, settings) => {
      const { note, time } = readTyped(text, toTypedAt(settings, zone, store_time), "The time");
      tellRead(context, note);
      const moment = "day" in time ? zone.startOf(time.day) : time.moment;
      return toEpochMs(moment) - toEpochMs(machine_time);
    });
  });
}

function advanceCommand(context: CliContext): Command {
  const command = defineBuiltin("advance", "write")
    .description("Move the clock forward.")
    .argument("<duration>", "duration: 30s, 5m, 2h or 3d");
  return addClockOptions(command, "clock advance 3d").action((text: string) => {
    const byMs = parseDuration(text, "The duration");
    return move(context, command, ({ offset_ms }) => offset_ms + byMs);
  });
}

function resetCommand(context: CliContext): Command {
  const command = defineBuiltin("reset", "write").description("Set the clock to the machine's time.");
  return addClockOptions(command, "clock reset").action(() => move(context, command, () => 0));
}

const addClockOptions = (command: Command, example: string) =>
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    `\nExample:\n  dispatch-cli ${example}`,
  );

interface Moved {
  before?: ClockFacts;
  after: ClockFacts;
}

async function showMove(
  context: CliContext,
  command: Command,
  work: (service: Service, zone: Zone, settings: Settings) => Promise<Moved>,
) {
  await useStore(context, command.opts(), async (service, settings) => {
    const zone = await zoneOf(service, settings);
    await service.clock.refresh();
    const { before, after } = await work(service, zone, settings);
    showFacts(context, settings, after, toLines(after, zone));
    if (before && after.offset_ms < before.offset_ms) tellBack(context, before);
  });
}

/** The zone for typed times: the named tenant's, else the first tenant's. */
async function zoneOf({ store }: Service, { isUtc, tenant }: Settings): Promise<Zone> {
  if (isUtc) return utc;
  const tenants = await store.accounts.tenants();
  const named = tenants.find(({ id }) => id === tenant.value) ?? tenants[0];
  return named ? new Zone(named.time_zone) : utc;
}

const move = (
  context: CliContext,
  command: Command,
  toOffset: (before: ClockFacts, zone: Zone, settings: Settings) => number,
) =>
  showMove(context, command, async (service, zone, settings) => {
    // The move would end leases, and another worker would send the deliveries again.
    await waitForAttempts(context, service);
    return moveClock(service, (before) => toOffset(before, zone, settings));
  });

function toLines({ sandbox, store_time, machine_time, offset_ms }: ClockFacts, zone: Zone): string[] {
  const view = { today: zone.dateOf(machine_time), zone };
  return [
    `sandbox       ${sandbox ? "yes" : "no"}`,
    `store_time    ${store_time}`,
    `local_time    ${showMoment(store_time, view)} ${zone.abbreviationAt(store_time)} (${zone.name})`,
    `machine_time  ${machine_time}`,
    `offset        ${formatOffset(offset_ms)}`,
  ];
}

function tellBack({ stderr }: CliContext, { store_time }: ClockFacts): void {
  tell(
    stderr,
    `The clock went back from ${store_time}. Records keep their times, and planned work such as retries waits for its time.`,
  );
}
