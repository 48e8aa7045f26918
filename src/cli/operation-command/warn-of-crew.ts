import { readZones } from "../../board/read-zones.ts";
import type { Client } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { isOffOn, sayAbsence } from "../../local-time/absence.ts";
import { sayDay } from "../../local-time/show-time.ts";
import { dayOf } from "../../local-time/whole-day.ts";
import type { LocalDate, Zone } from "../../local-time/zone.ts";
import type { CliContext } from "../context.ts";
import { openJobsOfTruck, toHandOverLine } from "../lists/open-jobs-of-truck.ts";
import { say } from "../output/tell.ts";
import type { Target } from "../target/target.ts";
import type { ParsedCommand } from "./parse.ts";

/** Warns of drivers and trucks that are off, of a driver on two trucks, and of jobs on a truck out of service. */
export async function warnOfCrew(
  { stderr }: CliContext,
  command: ParsedCommand,
  target: Target,
): Promise<void> {
  const { body } = command.input;
  const { client } = target;
  const { name } = command.operation;
  const isTruck = name === "trucks.create" || name === "trucks.update";
  const isJob = name.startsWith("jobs.") && Number(body?.truck_id) > 0;
  const locationId = findLocation(command);
  if (!body || !(isTruck || isJob) || locationId === null) return;
  const zone = (await readZones(target, command.settings.isUtc)).of(locationId);
  const today = zone.dateOf(target.clock.now());
  const at = { client, locationId, today, zone };
  const finding = isTruck
    ? findTruckWarnings(at, toIds(command), body)
    : findJobWarnings(at, command, Number(body.truck_id));
  // The change is done. A caller who may not read the truck or driver gets no warning.
  const warnings = await finding.catch((error: unknown) => {
    if (error instanceof DispatchError) return [];
    throw error;
  });
  for (const warning of warnings) say(stderr, warning);
}

function findLocation({ input: { params }, own }: ParsedCommand): number | null {
  const id = params.location_id ?? own?.records.get(own.ids[0] ?? "")?.params.location_id;
  return id === undefined ? null : Number(id);
}

interface At {
  client: Client;
  locationId: number;
  today: LocalDate;
  zone: Zone;
}

const toIds = ({ own }: ParsedCommand) => own?.ids.map(Number) ?? [];

type Fields = Readonly<Record<string, unknown>>;

async function findTruckWarnings(at: At, truckIds: readonly number[], body: Fields): Promise<string[]> {
  const { client, locationId, today, zone } = at;
  const warnings: string[] = [];
  const driverId = typeof body.driver_id === "number" ? body.driver_id : null;
  if (driverId !== null) {
    const trucks = await readTrucks(at);
    const shared = trucks.filter((truck) => truck.driver_id === driverId && !truck.out_of_service);
    const others = shared.filter(({ id }) => !truckIds.includes(id)).map(({ name }) => name);
    if (shared.length > 1 && others.length > 0)
      warnings.push(`The driver is on ${others.join(", ")} too: one driver on two trucks on one day.`);
    warnings.push(...(await findDriverOff(at, driverId, today)));
  }
  if (String(body.out_of_service) !== "true") return warnings;
  for (const id of truckIds) {
    const truck = await client.call("trucks.get", { params: { location_id: locationId, truck_id: id } });
    const [day] = await openJobsOfTruck(client, { from: today, locationId, truck, until: today, zone });
    if (!day) continue;
    const count = `${day.jobs.length} open ${day.jobs.length === 1 ? "job" : "jobs"}`;
    warnings.push(`${truck.name} has ${count} today. To move them:`, `  ${toHandOverLine(day, today)}`);
  }
  return warnings;
}

async function findJobWarnings(at: At, command: ParsedCommand, truckId: number): Promise<string[]> {
  const { client, locationId, today, zone } = at;
  const day = await readDay(at, command);
  if (day === null) return [];
  const truck = await client.call("trucks.get", { params: { location_id: locationId, truck_id: truckId } });
  const view = { today, zone };
  const on = day === today ? "today" : `on ${sayDay(day, view)}`;
  const warnings = isOffOn(truck, day, zone)
    ? [`${truck.name} is ${sayAbsence(truck, view, "out of service")}.`]
    : [];
  if (truck.driver_id === null) return warnings;
  warnings.push(...(await findDriverOff(at, truck.driver_id, day)));
  const others = (await readTrucks(at)).filter(
    ({ driver_id, id }) => driver_id === truck.driver_id && id !== truckId,
  );
  for (const other of others) {
    const [busy] = await openJobsOfTruck(client, { from: day, locationId, truck: other, until: day, zone });
    if (busy) warnings.push(`The driver of ${truck.name} has jobs on ${other.name} ${on} too.`);
  }
  return warnings;
}

/** null for a job without a date. */
async function readDay({ client, locationId, zone }: At, command: ParsedCommand): Promise<LocalDate | null> {
  const { body } = command.input;
  const typed = body?.new_schedule_date ?? body?.schedule_date;
  const [jobId] = toIds(command);
  const planned =
    typeof typed === "string" || jobId === undefined
      ? typed
      : (await client.call("jobs.get", { params: { job_id: jobId, location_id: locationId } })).schedule_date;
  return typeof planned === "string" ? dayOf(planned, zone) : null;
}

async function findDriverOff(
  { client, locationId, today, zone }: At,
  driverId: number,
  day: LocalDate,
): Promise<string[]> {
  const params = { driver_id: driverId, location_id: locationId };
  const driver = await client.call("drivers.get", { params });
  return isOffOn(driver, day, zone) ? [`${driver.name} is ${sayAbsence(driver, { today, zone })}.`] : [];
}

async function readTrucks({ client, locationId }: At) {
  const at = { params: { location_id: locationId }, query: { page_limit: 1000 } };
  return (await client.call("trucks.list", at)).results;
}
