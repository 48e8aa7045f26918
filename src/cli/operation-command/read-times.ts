import { readZones } from "../../board/read-zones.ts";
import type { Scheduled } from "../../board/scheduled-jobs.ts";
import { parseInput } from "../../core/call-operation.ts";
import { accessOf, type Operation } from "../../core/operation.ts";
import { DispatchError, throwIfAny, usageFailure, type Violation } from "../../errors/errors.ts";
import { toFieldValue, toFilterValue } from "../../local-time/field-time.ts";
import { isExactTime, isTimeOfDay, type TypedAt, type TypedTime } from "../../local-time/read-time.ts";
import { readHours } from "../../local-time/read-window.ts";
import { showMoment } from "../../local-time/show-time.ts";
import { dayOf } from "../../local-time/whole-day.ts";
import { addDays } from "../../local-time/zone.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import { isObject } from "../../models/json.ts";
import { parseTimestamp } from "../../models/timestamps.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { type CliContext, canAsk, type OptionValues } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput, GivenTime } from "../input/input.ts";
import { judgeTime, readTyped, tellRead, toRefusal, toTypedAt } from "../input/typed-time.ts";
import type { Presentation } from "../presentation/presentation.ts";
import type { Settings } from "../settings.ts";
import type { Target } from "../target/target.ts";

/** Throws invalid_date, with every option whose value is not a time. The clock of a window is not known yet. */
export function requireTimes(given: readonly GivenTime[], flags: readonly Flag[]): readonly GivenTime[] {
  const times = given.filter(
    ({ flag, text }) => !takesWindow(flag, flags) || readHours(text, "12h") === null,
  );
  throwIfAny(times.flatMap(({ flag, text }) => judgeTime(text, `--${flag.name}`, flag.field)));
  return given;
}

/** Whether the option can give a whole window, such as `1-3pm`. */
function takesWindow({ field, part }: Flag, flags: readonly Flag[]): boolean {
  const begins = field === "desired_start_time" || field === "schedule_date";
  return begins && part === "body" && findFlag(flags, "desired_end_time") !== undefined;
}

const findFlag = (flags: readonly Flag[], name: string) =>
  flags.find(({ field, part }) => field === name && part === "body");

export interface TimedCommand {
  flags: readonly Flag[];
  hasSpan: boolean;
  input: CommandInput;
  operation: Operation;
  options: OptionValues;
  presentation: Presentation;
  scheduled: Scheduled | null;
  settings: Settings;
  times: readonly GivenTime[];
  version: ApiVersion;
}

/** Typed times are in the zone of the command's location or tenant. --body and files have the API's format. */
export async function readTimes<Command extends TimedCommand>(
  context: CliContext,
  command: Command,
  target: Target,
): Promise<Command> {
  // An exact time is the same in every zone.
  const times = command.times.filter(({ text }) => !isExactTime(text));
  if (times.length === 0 && !command.hasSpan) return command;
  const at = await typedAt(command, target);
  const { params, query, body } = command.input;
  const input: CommandInput = { params, query: { ...query }, body: body && { ...body } };
  const notes = new Set<string | null>();
  const typed = times
    .flatMap((time) => readWindow(command, time, at, notes))
    .toSorted((one, other) => orderOf(one.flag) - orderOf(other.flag));
  /** Messages for the fields whose times the interface refuses. */
  const details = new Map<string, string>();
  let planned = at;
  for (const { flag, text, within } of typed) {
    const { field, part } = flag;
    const readAt = () => readTyped(text, onPlannedDay(flag, text, input, planned), `--${flag.name}`);
    if (planned === at && hasPassed(flag, text, readAt().time, at))
      planned = await planPassed(context, { ...command, input }, text, at, notes);
    const read = readAt();
    notes.add(read.note);
    const value = (part === "query" ? toFilterValue : toFieldValue)(read.time, field, at.zone);
    const mistimed = tellMistimed(command, flag, { now: at.now, text, value });
    if (mistimed !== null) details.set(field, mistimed);
    putTime(input, { flag, text, within }, value);
  }
  if (details.size > 0) await refuseTimes(command, input, details, at.now);
  refuseReversed(input, typed, at);
  for (const note of notes) tellRead(context, note);
  if (!command.hasSpan) return { ...command, input };
  const { readSpan } = await import("./read-span.ts");
  const zones = await zonesFor(command, target);
  return {
    ...command,
    input,
    scheduled: { now: at.now, span: readSpan(context, command.options, at), zones },
  };
}

/**
 * `--desired-start-time 1-3pm` gives the end too, and `--schedule-date "tomorrow 1-3pm"` the day and both times, unless
 * the command line has them.
 */
function readWindow(
  { flags, times }: TimedCommand,
  time: GivenTime,
  { zone }: TypedAt,
  notes: Set<string | null>,
): GivenTime[] {
  const { flag, text } = time;
  const hours = takesWindow(flag, flags) ? readHours(text, zone.clock) : null;
  if (hours === null) return [time];
  if ("refusal" in hours)
    throw new DispatchError([{ ...toRefusal(text, `--${flag.name}`, hours.refusal), field: flag.field }]);
  if (hours.isAssumed) notes.add(`${text} was read as ${text} pm`);
  const add = (field: string, added: string): GivenTime[] => {
    const other = findFlag(flags, field);
    return !other || times.some((one) => one.flag === other)
      ? []
      : [{ flag: other, text: added, within: null }];
  };
  const until = add("desired_end_time", hours.to);
  if (flag.field !== "schedule_date") return [{ ...time, text: hours.from }, ...until];
  const day = hours.from.replace(/\S+$/, "").trim() || "today";
  return [{ ...time, text: day }, ...add("desired_start_time", hours.from), ...until];
}

/** The interface accepts a window that ends before it begins. Nobody who types both ends means one. */
function refuseReversed({ body }: CommandInput, typed: readonly GivenTime[], at: TypedAt): void {
  const read = (field: string) =>
    typed.some(({ flag }) => flag.field === field) ? parseTimestamp(String(body?.[field] ?? "")) : null;
  const [start, end] = [read("desired_start_time"), read("desired_end_time")];
  if (start === null || end === null || start <= end) return;
  const view = { today: at.zone.dateOf(at.now), zone: at.zone };
  throw usageFailure(
    `The window ends (${showMoment(end, view)}) before it begins (${showMoment(start, view)}).`,
    "Name the day on which it ends, or swap the times.",
  );
}

function putTime(input: CommandInput, { flag, text, within }: GivenTime, value: Timestamp): void {
  const { field, part } = flag;
  if (part !== "body") input[part][field] = value;
  else if (input.body && within === null) input.body[field] = value;
  else if (input.body && within !== null)
    input.body[within] = replaceIn(input.body[within], { field, text, value });
}

/** Replaces the text of a field, also in a list of objects. */
function replaceIn(
  given: unknown,
  { field, text, value }: { field: string; text: string; value: Timestamp },
): unknown {
  if (Array.isArray(given)) return given.map((entry) => replaceIn(entry, { field, text, value }));
  return isObject(given) && given[field] === text ? { ...given, [field]: value } : given;
}

/** `--schedule-date fri --desired-start-time 8:00` means 8:00 on Friday. */
function onPlannedDay(flag: Flag, text: string, { body }: CommandInput, at: TypedAt): TypedAt {
  if (!isOfPlannedDay(flag) || !isTimeOfDay(text)) return at;
  const planned = parseTimestamp(String(body?.schedule_date ?? ""));
  return planned === null ? at : { ...at, now: at.zone.startOf(dayOf(planned, at.zone)) };
}

const isOfPlannedDay = ({ field, part }: Flag) =>
  part === "body" && (field === "desired_start_time" || field === "desired_end_time");

/** A window is on the day of its job, and ends on the day of its start. */
const orderOf = ({ field, part }: Flag) =>
  part === "body" ? ["desired_start_time", "desired_end_time"].indexOf(field) : -1;

/** Whether a planned time without a day has passed today. */
function hasPassed({ field, part }: Flag, text: string, time: TypedTime, { now, zone }: TypedAt): boolean {
  if (part !== "body" || !plannedFields.has(field) || !isTimeOfDay(text) || !("moment" in time)) return false;
  return time.moment < now && zone.dateOf(time.moment) === zone.dateOf(now);
}

const plannedFields: ReadonlySet<string> = new Set([
  ...["desired_end_time", "desired_start_time", "new_schedule_date", "schedule_date"],
]);

/** A passed time means tomorrow if the user says so, else today. */
async function planPassed(
  context: CliContext,
  { input, options }: Pick<TimedCommand, "input" | "options">,
  text: string,
  at: TypedAt,
  notes: Set<string | null>,
): Promise<TypedAt> {
  const isAsked = input.body?.schedule_date === undefined && canAsk(context, options);
  if (!isAsked) notes.add(`${text} has passed today.`);
  if (!isAsked || !(await asksTomorrow(context, text))) return at;
  return { ...at, now: at.zone.startOf(addDays(at.zone.dateOf(at.now), 1)) };
}

async function asksTomorrow(context: CliContext, text: string): Promise<boolean> {
  const { confirm } = await import("../prompts/prompts.ts");
  return confirm(context, `${text} has passed; tomorrow ${text}?`);
}

/** How to read times for the location that the input names. */
export async function typedAt(
  { input, operation, settings }: Pick<TimedCommand, "input" | "operation" | "settings">,
  target: Target,
): Promise<TypedAt> {
  const zones = await zonesFor({ operation, settings }, target);
  const id = input.params.location_id ?? input.body?.location_id;
  const zone = zones.of(id === undefined || id === null ? null : Number(id));
  return toTypedAt(settings, zone, target.clock.now());
}

/** Without a tenant the zone is UTC. */
function zonesFor({ operation, settings }: Pick<TimedCommand, "operation" | "settings">, target: Target) {
  return readZones(target, settings.isUtc || accessOf(operation) !== null);
}

/** Throws all violations. Those of mistimed fields quote the typed text. */
async function refuseTimes(
  { operation, version }: Pick<TimedCommand, "operation" | "version">,
  { params, query, body }: CommandInput,
  details: ReadonlyMap<string, string>,
  now: Timestamp,
): Promise<void> {
  try {
    await parseInput(operation, { version, params, query, body: async () => body }, now);
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    const [first, ...rest] = error.violations;
    const retell = (violation: Violation): Violation => {
      const detail = details.get(violation.field?.split(".").at(-1) ?? "");
      return detail !== undefined && isMistimed(violation) ? { ...violation, detail } : violation;
    };
    throw new DispatchError([retell(first), ...rest.map(retell)], { cause: error });
  }
}

const isMistimed = ({ code }: Violation) => code === "not_past" || code === "not_future";

/** null for a valid time. */
function tellMistimed(
  { presentation }: Pick<TimedCommand, "presentation">,
  { kind, name, part }: Flag,
  { now, text, value }: { now: Timestamp; text: string; value: Timestamp },
): string | null {
  if (kind?.when === "past" && value > now) {
    const cure = presentation.spans && part === "query" ? "; --from and --to take future times" : "";
    return `--${name} "${text}" is in the future (${value} in UTC) and must not be${cure}.`;
  }
  if (kind?.when === "future" && value <= now) {
    const cure = name === "new-schedule-date" ? "; `jobs update <id> --schedule-date` takes any day" : "";
    return `--${name} "${text}" has begun (${value} in UTC) and must be in the future${cure}.`;
  }
  return null;
}
