/** The `page_after` of a job, from its answer at any version. */
export function toCursorText({ id, priority, schedule_date }: Readonly<Record<string, unknown>>): string {
  return `${schedule_date ?? ""},${priority ?? ""},${id}`;
}
