import type { BoardLocation, BoardTruck } from "../../../board/board.ts";
import { toAddressLine, toCustomerText } from "../../../board/job-words.ts";
import type { RoutePlan } from "../../../board/plan-route.ts";
import { toWhen } from "../../../documents/job-words.ts";
import { type DistanceUnit, showDistance } from "../../../geography/distance.ts";
import { toKnownPlace } from "../../../geography/projection.ts";
import { sayDay, type TimeView } from "../../../local-time/show-time.ts";
import type { LocalDate } from "../../../local-time/zone.ts";
import { addressExample } from "../../input/typed-address.ts";
import { toVisible } from "../../output/text.ts";

export interface Route {
  /** Jobs whose position is only the center of their ZIP, or the location's. */
  approximate: ReadonlySet<number>;
  date: LocalDate;
  /** Whether the new order is set. */
  isApplied: boolean;
  location: BoardLocation;
  plan: RoutePlan;
  truck: BoardTruck;
  unit: DistanceUnit;
  view: TimeView;
}

/** `Truck 7, tomorrow: 8 stops in a new order, 25.6 mi instead of 39.1 mi`. */
export function toSentence(route: Route): string {
  const { plan, truck } = route;
  const when = toDay(route);
  if (plan.stops.length === 0) return toNothing(route);
  const meters = showMeters(route);
  const what = `${truck.name}, ${when}: ${countStops(plan.stops.length)}`;
  if (!plan.isChange)
    return `${what}${meters ? `, ${meters.after}` : ""}. They are already in this order.${needPosition(route)}`;
  if (!meters) return `${what} in a new order.${needPosition(route)}`;
  return `${what} in a new order, ${meters.after} instead of ${meters.before}`;
}

export function describeRoute(route: Route): string[] {
  const { location, plan, truck } = route;
  const { placeless, start, stops } = plan;
  if (stops.length === 0) return [toNothing(route)];
  const meters = showMeters(route);
  const lines = stops.map((stop) => describeStop(stop, route));
  const windows = stops.filter(({ job }) => job.desired_start_time ?? job.desired_end_time).length;
  const wanted = windows > 0 ? ` (${windows} ${windows === 1 ? "stop has" : "stops have"} one)` : "";
  const way = start
    ? `from job ${start.id}, which was completed last, to ${location.name}`
    : `from ${location.name} and back`;
  return [
    `${truck.name}, ${toDay(route)}: ${countStops(stops.length)}${meters ? `, ${meters.before} now, ${meters.after} in this order` : `.${needPosition(route)}`}`,
    ...lines,
    ...(stops.some(({ job }) => route.approximate.has(job.id))
      ? ["~ is approximate: the map knows the ZIP or the location of the stop, but not its address."]
      : []),
    ...(placeless.length > 0
      ? [`Without coordinates, so last: ${placeless.map(({ id }) => `job ${id}`).join(", ")}.`]
      : []),
    `Straight-line distances, ${way}. Ignored: roads, traffic, requested time windows${wanted}, and truck capacity. Jobs of different times stay in the order of their times.`,
    describeOutcome(route),
  ];
}

const toDay = ({ date, view }: Route) => sayDay(date, view);

function toNothing(route: Route): string {
  const when = toDay(route);
  return `${route.truck.name} has nothing to do ${when.includes(" ") ? `on ${when}` : when}.`;
}

const countStops = (count: number) => `${count} ${count === 1 ? "stop" : "stops"}`;

function showMeters({ approximate, location, plan: { meters, stops }, unit }: Route) {
  if (!toKnownPlace(location)) return null;
  const sign = stops.some(({ job }) => approximate.has(job.id)) ? "~" : "";
  return { after: sign + showDistance(meters.after, unit), before: sign + showDistance(meters.before, unit) };
}

function needPosition({ location }: Route): string {
  if (toKnownPlace(location)) return "";
  return ` A distance needs the position of ${location.name}: \`dispatch-cli locations update ${location.id} --address "${addressExample}"\`.`;
}

function describeStop(
  { job, number, was }: RoutePlan["stops"][number],
  { approximate, truck, view }: Pick<Route, "approximate" | "truck" | "view">,
): string {
  const width = String(truck.jobs.length).length;
  const before = was === number ? "" : `was ${was}`;
  const about = [
    `job ${job.id}`,
    job.type_name,
    toWhen(job, view).time ?? "",
    toVisible(toCustomerText(job)),
    (approximate.has(job.id) ? "~" : "") + toVisible(toAddressLine(job.address)),
  ];
  const words = about.filter((part) => part !== "").join(" · ");
  return `  ${String(number).padStart(width)}  ${before.padEnd("was ".length + width)}  ${words}`;
}

function describeOutcome({ isApplied, plan: { isChange } }: Route): string {
  if (!isChange) return "The jobs are already in this order.";
  return isApplied
    ? "The order is set. To restore the previous one, use undo."
    : "Nothing was changed; --apply sets this order.";
}
