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
export function toLocalTime(timestamp: string | null, nowMs: number): string {
  if (timestamp === null) return "–";
  const moment = new Date(`${timestamp.slice(0, 23)}Z`);
  const time = moment.toLocaleTimeString("en-GB");
  const isToday = moment.toDateString() === new Date(nowMs).toDateString();
  return isToday ? time : `${moment.toLocaleDateString("en-CA")} ${time}`;
}

/** JSON text with its lines indented; other text as it is. */
export function toIndented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
