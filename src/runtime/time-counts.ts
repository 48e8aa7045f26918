/**
 * How often something took how long: a histogram in plain numbers, because some of it is counted with every request. Bounds
 * are in seconds, each the longest time that is counted under it.
 */
export class TimeCounts {
  readonly bounds: readonly number[];
  /** By bound, each apart from the others; the last one counts what took longer than all bounds. */
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

  /** Counts what took no time, without a look at a clock. */
  addNone(): void {
    this.counts[0] = (this.counts[0] ?? 0) + 1;
  }
}
