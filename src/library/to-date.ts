/**
 * A timestamp of the interface as a Date. The interface sends UTC without a zone, which `new Date(text)` reads as local
 * time. null stays null. Throws a RangeError for other text.
 */
export function toDate(timestamp: string): Date;
export function toDate(timestamp: string | null): Date | null;
export function toDate(timestamp: string | null): Date | null {
  if (timestamp === null) return null;
  const [, date, time = "00:00:00", fraction = ""] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(\.\d{1,3})?\d*)?Z?$/.exec(timestamp) ?? [];
  if (date === undefined) throw new RangeError(`This is not a timestamp of the service: ${timestamp}`);
  return new Date(`${date}T${time}${fraction}Z`);
}
