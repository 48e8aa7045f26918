import type { HttpAnswer } from "../http-answer.ts";
import type { Figure } from "./figures.ts";

/** Answers a scrape in the form that its Accept header prefers. */
export type Scrape = (accept: string | undefined) => Promise<HttpAnswer>;

/** The forms that a scrape can have: Prometheus' own text, and OpenMetrics for clients that prefer it. */
const formats = [
  "text/plain; version=0.0.4; charset=utf-8",
  "application/openmetrics-text; version=1.0.0; charset=utf-8",
] as const;

/** Makes what answers scrapes. Those that come while figures are read share them. */
export function createScrape(readFigures: () => Promise<readonly Figure[]>): Scrape {
  let reading: Promise<readonly Figure[]> | null = null;
  return async (accept) => {
    reading ??= readFigures().finally(() => {
      reading = null;
    });
    const figures = await reading;
    // Loaded by the first scrape: many servers never have one.
    const { default: Negotiator } = await import("negotiator");
    const [preferred] = accept ? new Negotiator({ headers: { accept } }).mediaTypes([...formats]) : [];
    const format = formats.find((known) => known === preferred) ?? formats[0];
    return {
      status: 200,
      headers: { "cache-control": "no-store", "content-type": format },
      body: toText(figures, format === formats[1]),
    };
  };
}

function toText(figures: readonly Figure[], isOpenMetrics: boolean): string {
  const parts = figures.map(({ help, name, type, values }) => {
    // OpenMetrics calls a counter by the name of its series without `_total`.
    const told = isOpenMetrics && type === "counter" ? name.replace(/_total$/, "") : name;
    const series = values.map(
      ({ labels, metricName = name, value }) => `${metricName}${toLabelText(labels)} ${value}\n`,
    );
    return `# HELP ${told} ${help}\n# TYPE ${told} ${type}\n${series.join("")}`;
  });
  return `${parts.join("")}${isOpenMetrics ? "# EOF\n" : ""}`;
}

function toLabelText(labels: Figure["values"][number]["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const text = String(value).replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
    return `${name}="${text}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
