import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { Zone } from "../local-time/zone.ts";
import { foundKinds, hitsByDefault, SearchAnswerModel, searchQuery } from "../models/search.ts";
import type { Timestamp } from "../runtime/clock.ts";

export const findRecords = defineOperation({
  name: "search.find",
  summary: "Find customers, jobs, trucks, and drivers by name, number, or address",
  route: "GET /search",
  query: searchQuery,
  output: SearchAnswerModel,
  allow: "anyRole",
  extension: true,
  reads: { varies: "by-time" },
  async run(context, { query }) {
    return context.store.search.find({
      isActive: query.active ?? false,
      kinds: query.kind ? [query.kind] : foundKinds,
      limit: query.limit ?? hitsByDefault,
      locationId: query.location_id ?? null,
      query: query.q,
      today: () => findToday(context),
    });
  },
});

/** The earlier of two: the start of the tenant's day, and the value for a whole day. */
async function findToday({ now, store }: Context): Promise<Timestamp> {
  const zone = new Zone((await store.tenant.get()).time_zone);
  const today = zone.dateOf(now);
  const [whole, start] = [fromWholeDay(today), zone.startOf(today)];
  return whole < start ? whole : start;
}
