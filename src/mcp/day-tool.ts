import type { Board, BoardJob } from "../board/board.ts";
import { toAddressLine, toContactText, toCustomerText, toLocalWindow } from "../board/job-words.ts";
import { loadBoard } from "../board/load-board.ts";
import { readZones } from "../board/read-zones.ts";
import { failure } from "../errors/errors.ts";
import type { LocalDate } from "../local-time/zone.ts";
import type { Zones } from "../local-time/zones.ts";
import type { JsonObject } from "../models/json.ts";
import type { McpTarget } from "./mcp-target.ts";
import { answerTextMax } from "./rows.ts";
import type { OperationTool } from "./tools.ts";

export const dayTool: OperationTool = {
  name: "day",
  description: "Show the jobs of a day by truck, in the planned order, and those without a truck.",
  inputSchema: {
    type: "object",
    properties: {
      date: { type: "string", description: "as in 2026-12-01; default today" },
      location_id: { type: "integer" },
    },
    required: [],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The board of a day in short rows, with times on the clock of each location. */
export async function readDay(
  target: McpTarget,
  given: Readonly<Record<string, unknown>>,
): Promise<JsonObject> {
  const zones = await readZones(target, target.isUtc);
  const { date, locationId } = readArguments(given);
  const now = target.clock.now();
  const day = date ?? zones.of(locationId).dateOf(now);
  const board = await loadBoard(target.client, { date: day, locationId, now, tenant: target.tenant, zones });
  const answer = toAnswer(board, zones);
  if (JSON.stringify(answer).length <= answerTextMax) return answer;
  throw failure(
    "too_long",
    "The day is too long for one answer: give location_id, or use jobs_list.",
    "date",
  );
}

function readArguments({ date = null, location_id: id = null, ...rest }: Readonly<Record<string, unknown>>): {
  date: LocalDate | null;
  locationId: number | null;
} {
  const [other] = Object.keys(rest);
  if (other !== undefined) throw failure("unknown_parameter", `day takes no ${other}.`, other);
  if (date !== null && !isDate(date))
    throw failure("invalid_date", "date must be a day, as in 2026-12-01.", "date");
  if (id !== null && !(typeof id === "number" && Number.isSafeInteger(id)))
    throw failure("wrong_type", "location_id must be a whole number.", "location_id");
  return { date, locationId: id };
}

const isDate = (value: unknown): value is LocalDate =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value;

function toAnswer({ date, generated_on, locations, unscheduled }: Board, zones: Zones): JsonObject {
  const toRow = (job: BoardJob) => {
    const zone = zones.of(job.location_id);
    const view = { zone, today: zone.dateOf(generated_on) };
    const cells = {
      id: job.id,
      state: job.state,
      type: job.type_name,
      when: toLocalWindow(job, { date, view }),
      customer: toCustomerText(job),
      address: toAddressLine(job.address),
      contact: toContactText(job),
      is_late: job.is_late,
    };
    return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== "" && cell !== false));
  };
  return {
    date,
    locations: locations.map(({ id, name, trucks, unassigned }) => ({
      id,
      name,
      trucks: trucks.map((truck) => ({
        id: truck.id,
        name: truck.name,
        driver: truck.driver,
        jobs: truck.jobs.map(toRow),
      })),
      without_truck: unassigned.map(toRow),
    })),
    without_date: unscheduled.count,
  };
}
