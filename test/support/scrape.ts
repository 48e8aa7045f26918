/** A series of a Prometheus scrape. */
export interface ScrapedSeries {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses the text of a scrape; throws for an invalid line. */
export function parseScrape(text: string): ScrapedSeries[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value] =
        /^([a-z_]+)(?:\{((?:[a-z_]+="[^"]*",?)*)\})? (\S+)$/.exec(line) ?? [];
      if (value === undefined || Number.isNaN(Number(value))) throw new Error(`No series: ${line}`);
      const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key = "", text]) => [key, text]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

/** Returns the value of the only series with this name and at least these labels, or null. */
export function seriesValue(
  series: readonly ScrapedSeries[],
  name: string,
  labels: Record<string, string> = {},
): number | null {
  const found = series.filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  );
  if (found.length > 1) throw new Error(`${name} has ${found.length} series.`);
  return found[0]?.value ?? null;
}
