/** A histogram in plain numbers, because every request adds to one. Bounds are inclusive seconds. */
export class TimeCounts {
  readonly bounds: readonly number[];
  /** By bound, not cumulative. The last one is beyond all bounds. */
  readonly counts: number[];
  sumSeconds = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  addMs(ms: number): void {
    const { bounds, counts } = this;
    const seconds = ms / 1000;
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sumSeconds += seconds;
  }

  /** Counts zero without reading a clock. */
  addNone(): void {
    this.counts[0] = (this.counts[0] ?? 0) + 1;
  }
}
