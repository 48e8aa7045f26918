/** The `page_after` of a job in any API version. */
export function toCursorText({ id, priority, schedule_date }: Readonly<Record<string, unknown>>): string {
  return `${schedule_date ?? ""},${priority ?? ""},${id}`;
}
