export const oldestProgramKey = "oldest_program";

/** Marks an unfinished copy. The value names the source. */
export const copyMark = "copy_of";

/** Holds the deliveries of all tenants; see held-deliveries.ts. */
export const heldMark = "deliveries_held";

export const sandboxOffset = "sandbox_offset_ms";

/** The webhook of a demo store whose receiver on this machine usually does not run. */
export const demoHook = "demo_hook";

/** A process that sends deliveries writes it once a minute; see deliverer-mark.ts. */
export const delivererMark = "deliverer";
