import { type Command, Option } from "commander";
import { readZones } from "../../../board/read-zones.ts";
import { failure } from "../../../errors/errors.ts";
import { isOffFrom, isOffOn, sayAbsence } from "../../../local-time/absence.ts";
import { dayOf, fromWholeDay } from "../../../local-time/whole-day.ts";
import type { LocalDate, Zone } from "../../../local-time/zone.ts";
import { type Absence, notOff } from "../../../models/absence.ts";
import { kindOf } from "../../../records/record-kinds.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { dayForms, readTypedDay, requireTime, tellRead, toTypedAt } from "../../input/typed-time.ts";
import { type DayOfTruck, openJobsOfTruck, toHandOverLine } from "../../lists/open-jobs-of-truck.ts";
import { readLocation } from "../../names/read-location.ts";
import { resolveText } from "../../names/resolve-input.ts";
import { say, showFacts } from "../../output/tell.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

type Noun = "drivers" | "trucks";

export function offCommand(context: CliContext, noun: Noun): Command {
  const word = wordOf(noun);
  const command = toCommand("off", noun)
    .description(
      `Record the days on which a ${kindOf(noun).label} is ${word}, and list the jobs on these days.`,
    )
    .optionsGroup("Options:")
    .option("--from <day>", "the first day; default: today")
    .option("--until <day>", "the last day; default: until further notice")
    .addOption(new Option("--to <day>", "same as --until").conflicts("until").hideHelp())
    .option("--reason <text>", "why: sick, vacation, brakes")
    .option("--yes", "replace another absence without asking")
    .addHelpText("after", noun === "drivers" ? driverNotes : truckNotes);
  return command.action(async (name: string) => {
    const options = command.opts();
    for (const day of [options.from, options.until, options.to])
      if (day !== undefined) requireTime(day, "The day");
    await withRecord(context, noun, name, options, async (record) => {
      const { name: shown, now: before, settings, view } = record;
      const after = readAbsence(context, settings, record, options);
      const isReplaced = isOffFrom(before, view.today, view.zone) && !isTouching(before, after, view.zone);
      if (isReplaced && options.dryRun !== true) {
        const was = sayAbsence(before, view, word);
        await requireYes(context, `${shown} is already ${was}. Replace that absence?`, options);
      }
      await change(record, after);
      const days = await findJobs(record, after);
      const would = options.dryRun === true ? "would be" : "is";
      const facts = { ...after, id: record.id, jobs: days, name: shown };
      showFacts(context, settings, facts, [`${shown} ${would} ${sayAbsence(after, view, word)}.`]);
      if (settings.form === "table") for (const line of toAdvice(days, view.today)) say(context.stderr, line);
    });
  });
}

export function backCommand(context: CliContext, noun: Noun): Command {
  const word = wordOf(noun);
  const command = toCommand("back", noun)
    .description(
      `End the absence of a ${kindOf(noun).label}${noun === "trucks" ? ", and put it back in service" : ""}.`,
    )
    .addHelpText(
      "after",
      `\nExample:\n  dispatch-cli ${noun} back ${noun === "drivers" ? "oscar" : "M-103"}`,
    );
  return command.action(async (name: string) => {
    const options = command.opts();
    await withRecord(context, noun, name, options, async (record) => {
      const { name: shown, now: before, settings, view } = record;
      const isOff = isOffFrom(before, view.today, view.zone) || record.isOutOfService;
      const isNow = isOffOn(before, view.today, view.zone) || record.isOutOfService;
      if (isOff) await change(record, notOff);
      const was = sayAbsence(before, view, word);
      const told = isOff
        ? `${shown} ${options.dryRun === true ? "would be" : "is"} ${isNow ? "back" : `no longer ${was}`}.`
        : `${shown} is not ${word}.`;
      showFacts(context, settings, { ...notOff, id: record.id, name: shown }, [told]);
    });
  });
}

function toCommand(verb: string, noun: Noun): Command {
  const { label } = kindOf(noun);
  const command = defineBuiltin(verb, "write")
    .argument(`<${label}>`, `the ${label}, by ID or name`)
    .option("--location <name>", `the ${label}'s location, if ${label}s at several locations have the name`)
    .option("--dry-run", "show what would change");
  return addFormOption(addTargetOptions(command));
}

const wordOf = (noun: Noun) => (noun === "drivers" ? "off" : "out of service");

interface FoundRecord {
  id: number;
  isDryRun: boolean;
  isOutOfService: boolean;
  locationId: number;
  name: string;
  noun: Noun;
  now: Absence;
  settings: Settings;
  target: Target;
  view: { today: LocalDate; zone: Zone };
}

async function withRecord(
  context: CliContext,
  noun: Noun,
  name: string,
  { dryRun, ...options }: OptionValues,
  act: (record: FoundRecord) => Promise<void>,
): Promise<void> {
  return useTarget(context, options, async (target, settings) => {
    const { client } = target;
    const wanted = await readLocation(context, settings, target, options);
    const resolving = { context, client, choose: chooserOf(context, options), tells: false };
    const scope: Record<string, string> = wanted === null ? {} : { location_id: String(wanted) };
    const kind = { ...kindOf(noun), list: `${noun}.list` as const };
    const { id, params } = await resolveText(resolving, kind, name, scope, true);
    const locationId = Number(wanted ?? params.location_id);
    const at = { location_id: locationId };
    const record =
      noun === "drivers"
        ? await client.call("drivers.get", { params: { ...at, driver_id: Number(id) } })
        : await client.call("trucks.get", { params: { ...at, truck_id: Number(id) } });
    const zone = (await readZones(target, settings.isUtc)).of(locationId);
    await act({
      id: record.id,
      isDryRun: dryRun === true,
      isOutOfService: "out_of_service" in record && record.out_of_service,
      locationId,
      name: record.name,
      noun,
      now: record,
      settings,
      target,
      view: { today: zone.dateOf(target.clock.now()), zone },
    });
  });
}

function readAbsence(
  context: CliContext,
  settings: Settings,
  { target, view: { zone } }: FoundRecord,
  options: OptionValues,
): Absence {
  const now = target.clock.now();
  const toOptionText = (value: unknown) => (value === undefined ? undefined : String(value));
  const from = readTypedDay(toOptionText(options.from), toTypedAt(settings, zone, now), "--from");
  const typedEnd = toOptionText(options.until ?? options.to);
  // `--from mon --to wed` on a Tuesday means the Wednesday after that Monday.
  const start = zone.startOf(from.time);
  const at = toTypedAt(settings, zone, start > now ? start : now);
  const end = typedEnd === undefined ? null : readTypedDay(typedEnd, at, "--until");
  tellRead(context, from.note ?? end?.note ?? null);
  if (end !== null && end.time < from.time)
    throw failure("usage", `The last day (${end.time}) is before the first one (${from.time}).`);
  return {
    off_from: fromWholeDay(from.time),
    off_reason: toOptionText(options.reason) ?? null,
    off_until: end && fromWholeDay(end.time),
  };
}

/** A new absence changes an existing one that it touches. */
function isTouching(one: Absence, other: Absence, zone: Zone): boolean {
  const first = ({ off_from }: Absence) => (off_from ? dayOf(off_from, zone) : "");
  const last = ({ off_until }: Absence) => (off_until ? dayOf(off_until, zone) : "~");
  return first(one) <= last(other) && first(other) <= last(one);
}

async function change(
  { id, isDryRun, isOutOfService, locationId, noun, target }: FoundRecord,
  absence: Absence,
) {
  const call = { body: absence, dryRun: isDryRun };
  if (noun === "drivers")
    return target.client.call("drivers.update", {
      ...call,
      params: { driver_id: id, location_id: locationId },
    });
  const isBack = isOutOfService && absence === notOff;
  const body = isBack ? { ...absence, out_of_service: false } : absence;
  return target.client.call("trucks.update", {
    ...call,
    body,
    params: { location_id: locationId, truck_id: id },
  });
}

async function findJobs(record: FoundRecord, absence: Absence): Promise<DayOfTruck[]> {
  const { id, locationId, name, noun, target, view } = record;
  const params = { location_id: locationId };
  const trucks =
    noun === "trucks"
      ? [{ id, name }]
      : (await target.client.call("trucks.list", { params, query: { page_limit: 1000 } })).results
          .filter(({ driver_id }) => driver_id === id)
          .map((truck) => ({ id: truck.id, name: truck.name }));
  const toDay = (time: string | null) => (time === null ? null : dayOf(time, view.zone));
  const span = { from: toDay(absence.off_from) ?? view.today, until: toDay(absence.off_until) };
  const days = [];
  for (const truck of trucks)
    days.push(...(await openJobsOfTruck(target.client, { ...span, locationId, truck, zone: view.zone })));
  return days;
}

function toAdvice(days: readonly DayOfTruck[], today: LocalDate): string[] {
  if (days.length === 0) return [];
  const count = days.flatMap(({ jobs }) => jobs).length;
  const rest = days.length - daysMax;
  return [
    `${count} open ${count === 1 ? "job is" : "jobs are"} planned for these days. To move them:`,
    ...days.slice(0, daysMax).map((day) => `  ${toHandOverLine(day, today)}`),
    ...(rest > 0 ? [`${rest} more ${rest === 1 ? "day has" : "days have"} open jobs.`] : []),
  ];
}

const daysMax = 5;

const driverNotes = `
A driver or truck has one absence at a time; a new one replaces it. Boards, lists,
\`find\`, and \`day print\` show it. Assigning a job on one of these days shows a
warning.
Days: ${dayForms}.

Examples:
  dispatch-cli drivers off oscar --reason sick
  dispatch-cli drivers off oscar --from mon --until wed --reason vacation`;

const truckNotes = `
A truck has one absence at a time; a new one replaces it. Boards, lists, \`find\`,
and \`day print\` show it. Assigning a job on one of these days shows a warning.
Days: ${dayForms}.

Example:
  dispatch-cli trucks off M-103 --until fri --reason brakes`;
