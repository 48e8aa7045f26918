/** The schema of the oldest program that can work with the store. */
export const oldestProgramKey = "oldest_program";

/** Marks an unfinished copy; the value names the source. */
export const copyMark = "copy_of";

/** Holds the deliveries of all tenants; held-deliveries.ts knows its value. */
export const heldMark = "deliveries_held";

/** Only sandbox stores have it: how far the clock is ahead, in milliseconds. */
export const sandboxOffset = "sandbox_offset_ms";

/** The id of the webhook of a demo store that leads to this machine, where by default nobody listens. */
export const demoHook = "demo_hook";

/** A process that sends deliveries writes it once a minute; deliverer-mark.ts knows its value. */
export const delivererMark = "deliverer";
