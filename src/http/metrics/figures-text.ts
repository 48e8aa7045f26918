import { AggregatorRegistry, type OpenMetricsContentType, type PrometheusContentType } from "prom-client";
import type { Figure } from "./figures.ts";

/** The forms that a scrape can have: Prometheus' own text, and OpenMetrics for who prefers it. */
export const formats = [
  "text/plain; version=0.0.4; charset=utf-8",
  "application/openmetrics-text; version=1.0.0; charset=utf-8",
] as const satisfies [PrometheusContentType, OpenMetricsContentType];

/** Figures as text. */
export async function toText(figures: readonly Figure[], format: (typeof formats)[number]): Promise<string> {
  // In OpenMetrics a counter goes by its name without the end that its series has, which the library adds.
  const named = figures.map((figure) =>
    format === formats[1] && figure.type === "counter"
      ? { ...figure, name: figure.name.replace(/_total$/, "") }
      : figure,
  );
  const registry = AggregatorRegistry.aggregate<typeof format>([named]);
  registry.setContentType(format);
  return registry.metrics();
}
