import type { JSX } from "preact";
import { systemClock, toEpochMs } from "../../runtime/clock.ts";
import { unsafeCharacters } from "../../runtime/unsafe-characters.ts";

export function Headers({ headers }: { headers: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <dl class="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{toVisible(name)}</dt>
          <dd>{toVisible(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `why` replaces an empty body. */
export function Body({ label, text, why }: { label: string; text: string | null; why: string }): JSX.Element {
  if (text === null || text === "") return <p class="quiet">{why}</p>;
  return (
    <section class="body" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <pre tabIndex={0}>{toVisible(toIndented(text))}</pre>
    </section>
  );
}

export const Json = ({ label, value }: { label: string; value: unknown }): JSX.Element => (
  <Body label={label} text={JSON.stringify(value)} why="none" />
);

/** Escapes invisible and reordering characters as JSON does. */
export function toVisible(text: string): string {
  return text.replace(unsafeCharacters, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function toCell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = String(value);
  return toVisible(text.length > cellMax ? `${text.slice(0, cellMax)}…` : text).replaceAll("\n", " ");
}

const cellMax = 200;

export function toLocalTime(timestamp: string): string {
  const { date, time } = toParts(timestamp);
  return `${date} ${time}`;
}

/** The time today, otherwise the date and time to the minute. */
export function toShortTime(timestamp: string | null): string {
  if (timestamp === null) return "–";
  const { date, time } = toParts(timestamp);
  return date === toParts(systemClock.now()).date ? time : `${date.slice(5)} ${time.slice(0, 5)}`;
}

function toParts(timestamp: string) {
  const moment = new Date(toEpochMs(timestamp));
  return {
    date: join("-", moment.getFullYear(), moment.getMonth() + 1, moment.getDate()),
    time: join(":", moment.getHours(), moment.getMinutes(), moment.getSeconds()),
  };
}

const join = (between: string, ...numbers: readonly number[]) =>
  numbers.map((number) => String(number).padStart(2, "0")).join(between);

function toIndented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
