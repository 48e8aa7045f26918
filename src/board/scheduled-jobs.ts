import { type Client, untyped, type WalkedPage } from "../client/client.ts";
import type { Operation } from "../core/operation.ts";
import { isWithin, type Span, toStoredBounds } from "../local-time/span.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import type { Zones } from "../local-time/zones.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { toList, toPaging } from "../models/page.ts";
import { viewableRecordsMax } from "../models/page-limits.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { endOfTime, toPlaceBefore } from "./planned-query.ts";

/** The jobs of a list that are planned in a span, each by the time at its location. */
export interface ScheduledRequest extends Scheduled {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The position where interrupted reading continues. */
  after?: string | null;
  version: ApiVersion;
}

export interface Scheduled {
  span: Span;
  zones: Zones;
  now: Timestamp;
}

/**
 * Page by page in list order. Lists accept no lower bound in the future, but a page may begin after any place, here the
 * start of the span.
 */
export async function* walkScheduled(
  client: Client,
  operation: Operation,
  request: ScheduledRequest,
): AsyncGenerator<WalkedPage> {
  const { first, last } = toStoredBounds(request.span, zonesOf(request)).outer;
  yield* walkBetween(client, operation, request, { first, last });
}

export async function readScheduledPage(
  client: Client,
  operation: Operation,
  request: ScheduledRequest,
): Promise<string> {
  // Counts first, because the target then checks the paging.
  const total = await countScheduled(client, operation, request);
  const { page_index, page_limit } = request.query;
  const wanted = toPaging({ page_index: toNumber(page_index), page_limit: toNumber(page_limit) });
  const skipped = (wanted.index - 1) * wanted.limit;
  const rows: JsonObject[] = [];
  let seen = 0;
  if (skipped < total) {
    for await (const { records } of walkScheduled(client, operation, request)) {
      rows.push(...records.slice(Math.max(0, skipped - seen), skipped + wanted.limit - seen));
      seen += records.length;
      if (rows.length === wanted.limit) break;
    }
  }
  const { continues, ...list } = toList({ rows, total }, wanted);
  return JSON.stringify(list);
}

const toNumber = (text: string | undefined) => (text === undefined ? null : Number(text));

interface Bounds {
  first: Timestamp | null;
  last: Timestamp | null;
}

/** The target counts jobs that are in the span in every zone; this function reads the jobs near the ends. */
async function countScheduled(
  client: Client,
  operation: Operation,
  request: ScheduledRequest,
): Promise<number> {
  const { outer, inner } = toStoredBounds(request.span, zonesOf(request));
  const surely = await countBetween(client, operation, request, inner ?? outer);
  const count = async (bounds: Bounds, isEdge: (planned: Timestamp) => boolean = () => true) => {
    let counted = 0;
    for await (const { records } of walkBetween(client, operation, request, bounds))
      counted += records.filter(({ schedule_date }) => isEdge(String(schedule_date))).length;
    return counted;
  };
  if (inner === null || surely === null) return Math.min(viewableRecordsMax, await count(outer));
  const { first, last } = inner;
  const isBefore = (planned: Timestamp) => first !== null && planned < first;
  const isAfter = (planned: Timestamp) => last !== null && planned > last;
  const before = first === outer.first ? 0 : await count({ first: outer.first, last: first }, isBefore);
  const after = last === outer.last ? 0 : await count({ first: last, last: outer.last }, isAfter);
  return Math.min(viewableRecordsMax, before + surely + after);
}

/** null above the largest count of the target. */
async function countBetween(
  client: Client,
  operation: Operation,
  { now, params, query, version }: ScheduledRequest,
  { first, last }: Bounds,
): Promise<number | null> {
  const countBy = async (filters: Record<string, string>): Promise<number> => {
    const asked = { ...query, ...filters };
    const answer = await untyped(client).call(operation.name, { params, query: asked, version });
    return Number(Object(answer).total_count);
  };
  const filters = toPlannedFilters({ first, last }, now);
  const total = await countBy(filters);
  if (total >= viewableRecordsMax) return null;
  // For a future span, subtract the jobs before it.
  if (first === null || filters.schedule_gte === first) return total;
  const { schedule_lte: _, ...from } = filters;
  return total - (await countBy({ ...from, schedule_lt: first }));
}

async function* walkBetween(
  client: Client,
  operation: Operation,
  { after = null, now, params, query, span, version, zones }: ScheduledRequest,
  { first, last }: Bounds,
): AsyncGenerator<WalkedPage> {
  const { page_index: _, page_limit: __, ...filters } = query;
  const pages = untyped(client).walk(operation.name, {
    params,
    query: {
      ...filters,
      ...toPlannedFilters({ first, last }, now),
      order: "schedule",
      page_after: after ?? (first === null ? null : toPlaceBefore(first)),
    },
    version,
  });
  for await (const page of pages) {
    const records = page.records.filter(
      ({ location_id, schedule_date }) =>
        schedule_date && isWithin(String(schedule_date), span, zones.of(Number(location_id))),
    );
    if (records.length > 0) yield { after: page.after, records };
  }
}

/** Excludes jobs without a date. */
function toPlannedFilters({ first, last }: Bounds, now: Timestamp): Record<string, string> {
  // The same text all day, so that a server can cache its response.
  const today = fromWholeDay(now.slice(0, 10));
  const from = first === null || first < today ? first : today;
  return { ...(from !== null && { schedule_gte: from }), schedule_lte: last ?? endOfTime };
}

function zonesOf({ params, zones }: ScheduledRequest) {
  return params.location_id === undefined ? zones.all : [zones.of(Number(params.location_id))];
}
