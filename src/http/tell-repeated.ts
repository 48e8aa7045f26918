/** A fault that comes again within this time is the same trouble going on. */
const pauseMsMin = 5_000;

/** How often the same trouble is told while it goes on. */
const everyMs = 60_000;

/** How many different faults are remembered. */
const faultsMax = 100;

interface Seen {
  toldMs: number;
  lastMs: number;
  /** How often it came since it was told. */
  repeated: number;
}

/**
 * Passes on a fault when it begins, and once a minute while it comes again and again, with how often it came since
 * (OP-379): a database that is away overnight must not fill the disk of the log. Faults with the same message are the same.
 */
export function tellRepeated(
  tell: (error: unknown, repeated: number) => void,
  nowMs: () => number = () => performance.now(),
): (error: unknown) => void {
  const seen = new Map<string, Seen>();
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    const now = nowMs();
    const before = seen.get(message);
    if (before && now - before.lastMs < pauseMsMin && now - before.toldMs < everyMs) {
      before.lastMs = now;
      before.repeated += 1;
      return;
    }
    if (seen.size >= faultsMax) seen.clear();
    seen.set(message, { toldMs: now, lastMs: now, repeated: 0 });
    tell(error, before?.repeated ?? 0);
  };
}
