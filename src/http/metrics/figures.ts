export interface Figure {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** Joins the values of several processes. */
  aggregator: "sum" | "max" | "min";
  values: Series[];
}

interface Series {
  labels: Labels;
  value: number;
  /** The suffix of a part of a histogram. */
  metricName?: string;
}

type Labels = Record<string, string | number>;

export function toCounter(name: string, help: string, values: Iterable<[Labels, number]>): Figure {
  return { name, help, type: "counter", aggregator: "sum", values: toSeries(values) };
}

export function toGauge(
  name: string,
  help: string,
  aggregator: Figure["aggregator"],
  values: Iterable<[Labels, number]>,
): Figure {
  return { name, help, type: "gauge", aggregator, values: toSeries(values) };
}

function toSeries(values: Iterable<[Labels, number]>): Series[] {
  return Array.from(values, ([labels, value]) => ({ labels, value }));
}

interface Counts {
  bounds: readonly number[];
  counts: readonly number[];
  sumSeconds: number;
}

export function toHistogram(name: string, help: string, values: Iterable<[Labels, Counts]>): Figure {
  const series: Series[] = [];
  for (const [labels, { bounds, counts, sumSeconds }] of values) {
    let count = 0;
    for (const [at, own] of counts.entries()) {
      count += own;
      series.push({
        labels: { ...labels, le: bounds[at] ?? "+Inf" },
        metricName: `${name}_bucket`,
        value: count,
      });
    }
    series.push({ labels, metricName: `${name}_sum`, value: sumSeconds });
    series.push({ labels, metricName: `${name}_count`, value: count });
  }
  return { name, help, type: "histogram", aggregator: "sum", values: series };
}

export function joinFigures(all: readonly (readonly Figure[])[]): Figure[] {
  const joined = new Map<string, { figure: Figure; series: Map<string, Series> }>();
  for (const figure of all.flat()) {
    const known = joined.get(figure.name) ?? { figure, series: new Map<string, Series>() };
    joined.set(figure.name, known);
    for (const one of figure.values) {
      const key = `${one.metricName} ${JSON.stringify(one.labels)}`;
      const other = known.series.get(key);
      const value = other ? join[figure.aggregator](other.value, one.value) : one.value;
      known.series.set(key, { ...one, value });
    }
  }
  return [...joined.values()].map(({ figure, series }) => ({ ...figure, values: [...series.values()] }));
}

const join: Record<Figure["aggregator"], (a: number, b: number) => number> = {
  max: Math.max,
  min: Math.min,
  sum: (a, b) => a + b,
};

/** Counters outlive their process; gauges do not. */
export function keepCounts(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ type }) => type !== "gauge");
}
