const unitsMs: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  ms: 1,
  s: 1000,
};

const durationMsMax = 100 * 86_400_000;

/** Parses 500ms, 30s, 5m, 2h, or 3d into milliseconds; null for other texts or more than `msMax` (100 days). */
export function readDuration(text: string, msMax: number = durationMsMax): number | null {
  const [, count = "", unit = ""] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(count) * (unitsMs[unit] ?? Number.NaN);
  return count !== "" && ms <= msMax ? ms : null;
}

export const durationPattern = "^\\d{1,9}(ms|s|m|h|d)$";
