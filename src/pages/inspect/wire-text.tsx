import type { JSX } from "preact";
import { toIndented, toVisible } from "./to-visible.ts";

/** The headers of a message, as they went over the wire. */
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

/** A body; JSON with its lines indented. `why` says why there is none. */
export function Body({ label, text, why }: { label: string; text: string | null; why: string }): JSX.Element {
  if (text === null || text === "") return <p class="quiet">{why}</p>;
  return (
    <section class="body" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <pre tabIndex={0}>{toVisible(toIndented(text))}</pre>
    </section>
  );
}

/** A value as JSON. */
export const Json = ({ label, value }: { label: string; value: unknown }): JSX.Element => (
  <Body label={label} text={JSON.stringify(value)} why="none" />
);
