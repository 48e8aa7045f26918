/** The key of the schema of the oldest program that can work with the store (OP-329). */
export const oldestProgramKey = "oldest_program";

/** The key that marks an unfinished copy; its value names the store that is being copied. */
export const copyMark = "copy_of";

/** The key that holds the deliveries of all tenants; held-deliveries.ts knows its value. */
export const heldMark = "deliveries_held";

/** The key that only sandbox stores have: how far the clock is ahead, in milliseconds. */
export const sandboxOffset = "sandbox_offset_ms";

/** The key of the webhook of a demo store that leads to this machine, where by default nobody listens: its id. */
export const demoHook = "demo_hook";

/** The key that a process which makes deliveries writes once a minute; deliverer-mark.ts knows its value. */
export const delivererMark = "deliverer";
