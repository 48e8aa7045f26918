import { systemClock, toEpochMs } from "../../runtime/clock.ts";
import { unsafeCharacters } from "../../runtime/unsafe-characters.ts";

/** Text as it is, but for characters that nobody sees or that reorder others: these stand as JSON escapes them. */
export function toVisible(text: string): string {
  return text.replace(unsafeCharacters, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The same as one short line, for a list. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = String(value);
  return toVisible(text.length > cellMax ? `${text.slice(0, cellMax)}…` : text).replaceAll("\n", " ");
}

const cellMax = 200;

/** A time of the service by the clock of who looks, to the second; of another day with its date. */
export function toLocalTime(timestamp: string | null): string {
  if (timestamp === null) return "–";
  const moment = new Date(toEpochMs(timestamp));
  const time = join(":", moment.getHours(), moment.getMinutes(), moment.getSeconds());
  const day = toDay(moment);
  return day === toDay(new Date(toEpochMs(systemClock.now()))) ? time : `${day} ${time}`;
}

const toDay = (moment: Date) => join("-", moment.getFullYear(), moment.getMonth() + 1, moment.getDate());

const join = (between: string, ...numbers: readonly number[]) =>
  numbers.map((number) => String(number).padStart(2, "0")).join(between);

/** JSON text with its lines indented; other text as it is. */
export function toIndented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
