import type { HttpAnswer } from "../http-messages.ts";
import type { Figure } from "./figures.ts";

export type Scrape = (accept: string | undefined) => Promise<HttpAnswer>;

const formats = [
  "text/plain; version=0.0.4; charset=utf-8",
  "application/openmetrics-text; version=1.0.0; charset=utf-8",
] as const;

/** Scrapes at the same time share one reading, and its text in each format. */
export function createScrape(readFigures: () => Promise<readonly Figure[]>): Scrape {
  const texts = new Map<string, Promise<string>>();
  let reading: Promise<readonly Figure[]> | undefined;
  const read = () => {
    reading ??= readFigures().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return async (accept) => {
    // Loaded with the first scrape, because many servers have none.
    const { default: Negotiator } = await import("negotiator");
    const [preferred] = accept ? new Negotiator({ headers: { accept } }).mediaTypes([...formats]) : [];
    const format = formats.find((known) => known === preferred) ?? formats[0];
    const write = () =>
      read()
        .then((figures) => toExposition(figures, format === formats[1]))
        .finally(() => texts.delete(format));
    const text = texts.get(format) ?? write();
    texts.set(format, text);
    return {
      status: 200,
      headers: { "cache-control": "no-store", "content-type": format },
      body: await text,
    };
  };
}

function toExposition(figures: readonly Figure[], isOpenMetrics: boolean): string {
  const parts = figures.map(({ help, name, type, values }) => {
    // OpenMetrics names a counter without `_total`.
    const told = isOpenMetrics && type === "counter" ? name.replace(/_total$/, "") : name;
    const series = values.map(
      ({ labels, metricName = name, value }) => `${metricName}${toLabelText(labels)} ${value}\n`,
    );
    return `# HELP ${told} ${escapeText(help)}\n# TYPE ${told} ${type}\n${series.join("")}`;
  });
  return `${parts.join("")}${isOpenMetrics ? "# EOF\n" : ""}`;
}

function toLabelText(labels: Figure["values"][number]["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    return `${name}="${escapeText(String(value)).replaceAll('"', '\\"')}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeText = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
