import { type Command, Option } from "commander";
import { loadDay } from "../../../board/load-board.ts";
import { planRoute } from "../../../board/plan-route.ts";
import { type DistanceUnit, distanceUnits, unitOf } from "../../../geography/distance.ts";
import { toKnownPlace } from "../../../geography/projection.ts";
import { findApproximate, openZipCenters } from "../../../geography/zip-centers.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { dayForms, requireTime } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import { showFacts } from "../../output/tell.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { findTruck, truckOnBoard } from "../day/find-truck.ts";
import { readDayRequest } from "../day/read-day-request.ts";
import { describeRoute, type Route, toSentence } from "./describe-route.ts";

export function jobsRouteCommand(context: CliContext): Command {
  const units = new Option("--units <unit>", "unit of distances; default: the location's");
  const command = defineBuiltin("route", "write")
    .description("Propose a shorter route for a truck's jobs of a day, from the location and back.")
    .argument("<truck>", "the truck, by its name, id or driver")
    .argument("[date]", dayForms)
    .option("--location <name>", "the truck's location, if trucks at several locations have the name")
    .addOption(units.choices(distanceUnits))
    .option("--apply", "set this order")
    .option("--show", "with --apply, show the order too");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action((word: string, date: string | undefined) => {
    const options = command.opts();
    if (date !== undefined) requireTime(date, "The day");
    return useTarget(context, options, async (target, settings) => {
      const wanted = await readLocation(context, settings, target, options);
      const isTable = settings.form === "table";
      const resolving = {
        context,
        client: target.client,
        choose: chooserOf(context, options),
        tells: isTable,
      };
      const found = await findTruck(resolving, word, wanted);
      const { locationId } = found;
      const asked = await readDayRequest(context, settings, target, { date, locationId });
      const { board, jobs } = await loadDay(target.client, asked);
      const { location, truck } = truckOnBoard(board, found);
      const plan = planRoute(truck, location, jobs);
      const zone = asked.zones.of(location.id);
      const unit = (options.units as DistanceUnit | undefined) ?? unitOf(location.distance_label);
      const isApplied = options.apply === true;
      const centerOf = await openZipCenters();
      const jobsAhead = plan.stops.map(({ job }) => job);
      const route = {
        approximate: findApproximate(jobsAhead, centerOf, toKnownPlace(location)),
        date: board.date,
        isApplied,
        location,
        plan,
        truck,
        unit,
        view: { today: zone.dateOf(asked.now), zone },
      };
      if (isApplied && plan.isChange) await apply(target, route);
      const lines = isApplied && options.show !== true ? [toSentence(route)] : describeRoute(route);
      showFacts(context, settings, toRouteFacts(route), lines);
    });
  });
}

/** The service refuses the request if the truck's jobs or their order have changed. */
async function apply({ client }: Target, { location, plan, truck }: Route): Promise<void> {
  const params = { location_id: location.id, truck_id: truck.id };
  const toIds = (jobs: readonly { id: number }[]) => jobs.map(({ id }) => id);
  const body = { jobs: toIds(plan.order), was: toIds(truck.jobs) };
  await client.call("trucks.order-jobs", { body, params });
}

function toRouteFacts({ approximate, date, isApplied, location, plan, truck }: Route): object {
  const inKilometers = (meters: number) => Math.round(meters) / 1000;
  return {
    applied: isApplied,
    approximate: [...approximate],
    date,
    jobs: plan.stops.map(({ job: { id }, was }) => ({ id, was })),
    kilometers: toKnownPlace(location) && {
      after: inKilometers(plan.meters.after),
      before: inKilometers(plan.meters.before),
    },
    location_id: location.id,
    truck: { id: truck.id, name: truck.name },
    without_coordinates: plan.placeless.map(({ id }) => id),
  };
}

const notes = `
The route goes to the nearest stop each time. Then the command reverses parts of
it while that makes it shorter. Lists are ordered by date and time before
priority, so jobs that are scheduled for a time of day stay in the order of their
times. Completed and failed jobs stay first, and the route continues from the job
that was completed last. Jobs that the driver has started come next. Declined jobs
come last.

--apply sets the whole order at once. It fails if another user has changed the
truck's jobs since. \`undo\` restores the old order.

Examples:
  dispatch-cli jobs route 1
  dispatch-cli jobs route "truck 7" tomorrow --apply`;
