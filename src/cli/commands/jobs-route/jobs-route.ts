import { Command } from "commander";
import { toWhen } from "../../../documents/job-words.ts";
import { showDistance, unitOf } from "../../../geography/distance.ts";
import { sayDay, type TimeView } from "../../../local-time/show-time.ts";
import { createClient } from "../../../operations/client.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { dayForms, readTypedDay, requireTime, tellRead, toTypedAt } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import { showFacts } from "../../output/show-facts.ts";
import { readSettings } from "../../settings.ts";
import { openTarget, type Target } from "../../target/target.ts";
import { readZones } from "../../target/zones.ts";
import type { Board, BoardLocation, BoardTruck } from "../day/board.ts";
import { toAddressLine, toCustomerText } from "../day/draw-job.ts";
import { findTruck } from "../day/find-truck.ts";
import { loadBoard } from "../day/load-board.ts";
import { planRoute, type RoutePlan } from "./plan-route.ts";

/** Proposes an order for the jobs of a truck by distance, and sets it. */
export function jobsRouteCommand(context: CliContext): Command {
  const command = new Command("route")
    .description(
      "Propose an order for a truck's jobs of a day that makes its way short, from the location and back.",
    )
    .argument("<truck>", "the truck, by its id or name")
    .argument("[date]", dayForms)
    .option("--location <name>", "the truck's location, where trucks of several have the name")
    .option("--apply", "give the jobs priorities by which they are in this order");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async (word: string, date: string | undefined) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (date !== undefined) requireTime(date, "The day");
    const target = await openTarget(context, settings);
    try {
      const locationId = await readLocation(context, settings, target, options);
      const now = target.clock.now();
      const zones = await readZones(target, settings.isUtc);
      const day = readTypedDay(date, toTypedAt(settings, zones.of(locationId), now), "The day");
      tellRead(context, day.note);
      const asked = { date: day.time, locationId, now, tenant: target.tenant, zones };
      const board = await loadBoard(target.caller, asked);
      const { location, truck } = findTruck(board, word);
      const plan = planRoute(truck, location);
      const isApplied = options.apply === true;
      if (isApplied) await apply(target, location, plan);
      const zone = zones.of(location.id);
      const view = { today: zone.dateOf(now), zone };
      const route: Route = { board, isApplied, location, plan, truck, view };
      showFacts(context, settings, toFacts(route), describe(route));
    } finally {
      await target.caller.close();
    }
  });
}

interface Route {
  board: Board;
  isApplied: boolean;
  location: BoardLocation;
  plan: RoutePlan;
  truck: BoardTruck;
  view: TimeView;
}

/** One job after the other; when one is refused, the same command goes on from there. */
async function apply({ caller }: Target, location: BoardLocation, { priorities }: RoutePlan): Promise<void> {
  const client = createClient(caller);
  for (const { job, priority } of priorities) {
    const params = { job_id: job.id, location_id: location.id };
    await client.call("jobs.update", { body: { priority }, params });
  }
}

function toFacts({ board, isApplied, location, plan, truck }: Route): object {
  const inKilometres = (metres: number) => Math.round(metres) / 1000;
  return {
    applied: isApplied,
    date: board.date,
    jobs: plan.stops.map(({ job: { id }, was }) => ({ id, was })),
    kilometres: {
      after: inKilometres(plan.metres.after),
      before: inKilometres(plan.metres.before),
    },
    location_id: location.id,
    truck: { id: truck.id, name: truck.name },
    without_coordinates: plan.placeless.map(({ id }) => id),
  };
}

function describe(route: Route): string[] {
  const { board, location, plan, truck, view } = route;
  const { placeless, stops } = plan;
  const when = sayDay(board.date, view);
  if (stops.length === 0) return [`${truck.name} has nothing to do ${toOn(when)}.`];
  const show = (metres: number) => showDistance(metres, unitOf(location.distance_label));
  const count = `${stops.length} ${stops.length === 1 ? "stop" : "stops"}`;
  const lines = stops.map((stop, index) => describeStop(stop, index, route));
  const windows = stops.filter(({ job }) => job.desired_start_time ?? job.desired_end_time).length;
  const wanted = windows > 0 ? ` (${windows} ${windows === 1 ? "stop has" : "stops have"} one)` : "";
  return [
    `${truck.name}, ${when}: ${count}, ${show(plan.metres.before)} now, ${show(plan.metres.after)} in this order`,
    ...lines,
    ...(placeless.length > 0
      ? [`Without coordinates, so last: ${placeless.map(({ id }) => `job ${id}`).join(", ")}.`]
      : []),
    `As the crow flies, from ${location.name} and back. Not regarded: roads, traffic, the windows that are wanted${wanted}, and what a truck can load. Jobs of different times stay in the order of their times.`,
    describeOutcome(route),
  ];
}

const toOn = (when: string) => (when.includes(" ") ? `on ${when}` : when);

function describeStop(
  { job, was }: RoutePlan["stops"][number],
  index: number,
  { plan, view }: Route,
): string {
  const width = String(plan.stops.length).length;
  const place = String(index + 1).padStart(width);
  const before = was === index + 1 ? "" : `was ${was}`;
  const about = [
    `job ${job.id}`,
    job.type_name,
    toWhen(job, view).time ?? "",
    toCustomerText(job),
    toAddressLine(job.address),
  ];
  return `  ${place}  ${before.padEnd("was ".length + width)}  ${about.filter((part) => part !== "").join(" · ")}`;
}

function describeOutcome({ isApplied, plan: { priorities } }: Route): string {
  if (priorities.length === 0) return "The jobs are in this order already.";
  const jobs = priorities.length === 1 ? "1 job" : `${priorities.length} jobs`;
  return isApplied
    ? `The order is set: ${jobs} got another priority.`
    : "Nothing is changed; --apply sets this order.";
}

const notes = `
The next stop is the nearest one, then stretches are turned round while that makes
the way shorter. Lists are ordered by date and time before priority, so jobs that are
scheduled for a time of day stay in the order of their times. What is completed,
failed or declined has no place in the order.

Examples:
  dispatch-cli jobs route 1
  dispatch-cli jobs route 1 tomorrow --apply`;
