import { DispatchError } from "../../errors/errors.ts";
import { readTime, type TypedAt } from "../../local-time/read-time.ts";
import { showDay, showMoment } from "../../local-time/show-time.ts";
import type { CliContext } from "../context.ts";
import { toTypedAt } from "../input/typed-time.ts";
import { readLocation } from "../names/read-location.ts";
import { readSettings } from "../settings.ts";
import { openTarget } from "../target/target.ts";
import { readZones } from "../target/zones.ts";
import type { HelpWriter } from "./help-writer.ts";

/** What may be typed, and what it means. */
const forms: readonly (readonly [typed: string, meaning: string])[] = [
  ["today", "the day there; tomorrow and yesterday alike"],
  ["fri", "today if it is Friday, else the next one; next fri is a week later, last fri is over"],
  ["12/1", "the nearest such day: this year's, unless it lies more than 60 days back"],
  ["12/1/2026", "with its year; --date-order mdy|dmy|ymd says how numbers are ordered"],
  ["Dec 1", "or 1 December, Dec 1 2026"],
  ["2026-12-01", "year, month, day"],
  ["+3d", "so many days from today; -1w, +2h and -30m from now"],
  ["8:00", "today at that time; 8am, 5:30pm, noon"],
  ["tomorrow 8:00", "a day with a time, in either order"],
  ["2026-12-01T08:00Z", "with an offset: what it says"],
  ["2026-12-01T08:00:00.000000", "the form of json and csv: UTC, so that an export comes in equal"],
];

/** `help times`: each form with what it means now, in the zone of the usual location where there is a target. */
export async function describeTimes(
  { paragraph, terms }: HelpWriter,
  context: CliContext | null,
): Promise<string> {
  const at = context && (await findZone(context));
  const now = at === null ? "" : ` There it is ${showMoment(at.now, viewOf(at))} (${at.zone.name}) now.`;
  return [
    paragraph(
      `Whatever takes a date or a time takes these: options, filters of lists, questions, pairs such as timestamp=8:00. They are meant in the zone of the location that the command names, else of the tenant; --utc reads UTC.${now}`,
    ),
    "\n",
    terms(
      forms.map(([typed, meaning]) => [typed, at === null ? meaning : `${meaning}${toExample(typed, at)}`]),
    ),
    "\n",
    paragraph(
      "A schedule date without a time is the whole day. How an ambiguous day was read is said on stderr, or in the question. A time that clocks skip is refused; of one that comes twice the first is taken, and said. --from and --to of `jobs list` and `export jobs` may look ahead, a day for --to included.",
    ),
  ].join("");
}

const viewOf = ({ now, zone }: TypedAt) => ({ today: zone.dateOf(now), zone });

function toExample(typed: string, at: TypedAt): string {
  const read = readTime(typed, at);
  if ("refusal" in read) return "";
  const { time } = read;
  return ` (${"day" in time ? showDay(time.day, viewOf(at)) : showMoment(time.moment, viewOf(at))})`;
}

/** How times are read where commands work; null where that is nowhere. */
async function findZone(context: CliContext): Promise<TypedAt | null> {
  try {
    const settings = readSettings(context, {});
    const target = await openTarget(context, settings);
    try {
      const { value } = settings.location;
      const location =
        value === null ? null : await readLocation(context, settings, target, { location: value });
      const zone = (await readZones(target, settings.isUtc)).of(location);
      return toTypedAt(settings, zone, target.clock.now());
    } finally {
      await target.close();
    }
  } catch (error) {
    if (error instanceof DispatchError) return null;
    throw error;
  }
}
