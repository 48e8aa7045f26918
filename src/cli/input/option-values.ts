import { failure } from "../../errors/errors.ts";
import { readDuration } from "../../runtime/duration.ts";

export function parseId(value: unknown, option: string): number {
  if (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw failure("usage", `${option} must be an ID (a whole number from 1), not "${value}".`);
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** Parses 500ms, 30s, 5m, 2h, or 3d into milliseconds, up to 100 days. Throws a usage error. */
export function parseDuration(text: string, option: string): number {
  const ms = readDuration(text);
  if (ms !== null) return ms;
  throw failure("usage", `${option} must be a duration like 30s, 5m or 2h, at most 100 days, not "${text}".`);
}

/** In whole seconds, like `3d 2h 5s ahead`, or 0s. */
export function formatOffset(offsetMs: number): string {
  let rest = Math.round(Math.abs(offsetMs) / 1000) * 1000;
  const parts: string[] = [];
  for (const [unit, unitMs] of units) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.length === 0 ? "0s" : `${parts.join(" ")} ${offsetMs > 0 ? "ahead" : "behind"}`;
}
