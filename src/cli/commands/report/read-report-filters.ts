import { readZones } from "../../../board/read-zones.ts";
import { failure } from "../../../errors/errors.ts";
import type { LocalDate } from "../../../local-time/zone.ts";
import type { Zones } from "../../../local-time/zones.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { readTypedDay, tellRead, toTypedAt } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import type { ListedKind } from "../../names/record-finder.ts";
import { namedKind, resolveText } from "../../names/resolve-input.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { findTruck } from "../day/find-truck.ts";
import type { ReportFilters } from "./read-completed-jobs.ts";
import { type Period, readMonth } from "./read-period.ts";

/** Throws the errors of resolveName, and for days in the wrong order. */
export async function readReportFilters(
  context: CliContext,
  settings: Settings,
  target: Target,
  options: OptionValues,
): Promise<ReportFilters> {
  const wanted = settings.location.value ?? undefined;
  const locationId = await readLocation(context, settings, target, { location: wanted });
  const zones = await readZones(target, settings.isUtc);
  const period = readPeriod(context, settings, target, { locationId, options, zones });
  const resolving = {
    context,
    client: target.client,
    choose: null,
    tells: settings.form === "table" && options.out === undefined,
  };
  const scope = locationId === null ? {} : { location_id: String(locationId) };
  const find = async (field: "customer_id" | "driver_id", text: unknown) => {
    if (text === undefined) return {};
    const { id } = await resolveText(resolving, toListed(field), String(text), scope, true);
    return { [field]: id };
  };
  const truck =
    options.truck === undefined ? null : await findTruck(resolving, String(options.truck), locationId);
  const query = {
    ...(await find("customer_id", options.customer)),
    ...(await find("driver_id", options.driver)),
    ...(truck && { truck_id: truck.id }),
  };
  return { locationId, period, query, zones };
}

interface PeriodRequest {
  locationId: number | null;
  options: OptionValues;
  zones: Zones;
}

function readPeriod(
  context: CliContext,
  settings: Settings,
  target: Target,
  { locationId, options: { from, month, to }, zones }: PeriodRequest,
): Period {
  const now = target.clock.now();
  const zone = zones.of(locationId);
  if (month !== undefined) return readMonth(String(month), zone.dateOf(now));
  const read = (text: unknown, name: string): LocalDate | null => {
    if (text === undefined) return null;
    const { note, time } = readTypedDay(String(text), toTypedAt(settings, zone, now), name);
    tellRead(context, note);
    return time;
  };
  const period = { from: read(from, "--from"), to: read(to, "--to") };
  if (period.from !== null && period.to !== null && period.from > period.to)
    throw failure("usage", `--from ${period.from} is after --to ${period.to}.`);
  return period;
}

function toListed(field: "customer_id" | "driver_id"): ListedKind {
  const kind = namedKind(field);
  if (!kind) throw new Error(`Records that ${field} names cannot be listed.`);
  return kind;
}
