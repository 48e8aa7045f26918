/** Numbered pages neither count nor show records beyond this. */
export const viewableRecordsMax = 100_000;

export const pageIndexMax = 10_000;

/** At least 1. May be beyond total_pages. */
export function lastPageOf(totalCount: number, limit: number): number {
  return Math.max(1, Math.min(pageIndexMax, Math.ceil(totalCount / limit)));
}
