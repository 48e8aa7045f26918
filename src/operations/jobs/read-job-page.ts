import type { Context } from "../../core/context.ts";
import { failure } from "../../errors/errors.ts";
import type { JobCursor } from "../../models/job-cursor.ts";
import type { jobFilters, jobPaging } from "../../models/job-filters.ts";
import type { FilterValues } from "../../models/model.ts";
import { type Paging, toList, toPaging } from "../../models/page.ts";

type JobQuery = FilterValues<typeof jobFilters & typeof jobPaging>;

/** Reads a page of jobs, of one location or of all, in the order that the query names. */
export async function readJobPage(
  { store }: Pick<Context, "store">,
  query: JobQuery & { location_id?: number },
) {
  const wanted: Paging = { ...toPaging(query), after: await toPlace(store, query) };
  return toList(await store.jobs.page(query, wanted), wanted);
}

/** Where the page begins: behind an id in the order of ids, which need not be there any more, else behind a job's place. */
async function toPlace(
  { jobs }: Context["store"],
  { order, page_after: after = null }: JobQuery,
): Promise<number | JobCursor | null> {
  if (order === "id") return typeof after === "number" ? after : (after?.id ?? 0);
  if (typeof after !== "number") return after;
  const place = await jobs.findPlace(after);
  if (place) return place;
  const detail = `page_after: there is no job ${after} that you may see, so it has no place in this order. Give its schedule_date,priority,id, or walk with order=id.`;
  throw failure("unknown_reference", detail, "page_after");
}
