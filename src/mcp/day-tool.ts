import type { BoardJob } from "../board/board.ts";
import {
  type LocalDay,
  toAddressLine,
  toContactText,
  toCustomerText,
  toLocalWindow,
} from "../board/job-words.ts";
import { type LoadedDay, loadDay } from "../board/load-board.ts";
import { readZones } from "../board/read-zones.ts";
import { sayDriver, sayTruckOff } from "../board/truck-words.ts";
import { failure } from "../errors/errors.ts";
import type { TimeView } from "../local-time/show-time.ts";
import type { LocalDate } from "../local-time/zone.ts";
import type { JsonObject } from "../models/json.ts";
import type { McpTarget } from "./mcp-target.ts";
import { toFittingAnswer, withoutEmpty } from "./rows.ts";
import type { Given, OperationTool } from "./tools.ts";

export const dayTool: OperationTool = {
  name: "day",
  description:
    "Show the jobs of a day by truck, in the planned order, and those without a truck. jobs_list has the jobs that are left out.",
  inputSchema: {
    type: "object",
    properties: {
      date: { type: "string", description: "as in 2026-12-01; default today" },
      location_id: { type: "integer" },
    },
    required: [],
  },
  outputSchema: {
    type: "object",
    properties: {
      date: { type: "string" },
      locations: { type: "array", items: { type: "object" } },
      without_date: { type: "integer" },
    },
    required: ["date", "locations"],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The board of a day in short rows, with times on the clock of each location. Shortens the lists of a long day. */
export async function readDay(target: McpTarget, given: Given): Promise<JsonObject> {
  return toFittingAnswer(toAnswer(await loadGivenDay(target, given, dayTool)));
}

export interface GivenDay extends LoadedDay {
  toRow: (job: BoardJob) => JsonObject;
  viewOf: (locationId: number) => TimeView;
}

/** The day and location of a tool's arguments. Refuses arguments that the tool does not have. */
export async function loadGivenDay(
  target: McpTarget,
  given: Given,
  { inputSchema, name }: OperationTool,
): Promise<GivenDay> {
  const { date = null, location_id: id = null } = given;
  const other = Object.keys(given).find((one) => !Object.hasOwn(inputSchema.properties as object, one));
  if (other !== undefined) throw failure("unknown_parameter", `${name} takes no ${other}.`, other);
  if (date !== null && !isDate(date))
    throw failure("invalid_date", "date must be a day, as in 2026-12-01.", "date");
  if (id !== null && !(typeof id === "number" && Number.isSafeInteger(id)))
    throw failure("wrong_type", "location_id must be a whole number.", "location_id");
  const { client, clock, isUtc, tenant } = target;
  const zones = await readZones(target, isUtc);
  const now = clock.now();
  const day = date ?? zones.of(id).dateOf(now);
  const loaded = await loadDay(client, { date: day, locationId: id, now, tenant, trayMax: 1, zones });
  const viewOf = (locationId: number) => {
    const zone = zones.of(locationId);
    return { zone, today: zone.dateOf(now) };
  };
  return { ...loaded, toRow: (job) => toRow(job, { date: day, view: viewOf(job.location_id) }), viewOf };
}

const isDate = (value: unknown): value is LocalDate =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value;

function toRow(job: BoardJob, day: LocalDay): JsonObject {
  return withoutEmpty({
    id: job.id,
    state: job.state,
    type: job.type_name,
    when: toLocalWindow(job, day),
    customer: toCustomerText(job),
    address: toAddressLine(job.address),
    contact: toContactText(job),
    is_late: job.is_late,
  });
}

function toAnswer({ board, toRow, viewOf }: GivenDay): JsonObject {
  const { date, locations, unscheduled } = board;
  return {
    date,
    locations: locations.map(({ id, name, time_zone, trucks, unassigned }) => ({
      id,
      name,
      time_zone,
      midnight: `${viewOf(id).zone.startOf(date).slice(0, 19)}Z`,
      trucks: trucks.map((truck) => ({
        ...withoutEmpty({ id: truck.id, name: truck.name, off: sayTruckOff(truck, viewOf(id)) }),
        driver: sayDriver(truck, viewOf(id)),
        jobs: truck.jobs.map(toRow),
      })),
      without_truck: unassigned.map(toRow),
    })),
    without_date: unscheduled.count,
  };
}
