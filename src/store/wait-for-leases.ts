/** Longer than an attempt of a delivery can take (OP-77: 15 s). */
const waitMsMax = 20_000;
const lookEveryMs = 50;
const lateAfterMs = 1000;

/**
 * Waits until no worker holds a delivery, for 20 s at most: to move the clock earlier ends leases, and what was sent and is not
 * recorded yet is sent again. `onLate` is told once how many are left when it takes long.
 */
export async function waitForLeases(
  countLeased: () => Promise<number>,
  onLate: (count: number) => void = () => {},
): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
    const count = await countLeased();
    if (count === 0) return;
    if (waitedMs === lateAfterMs) onLate(count);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
