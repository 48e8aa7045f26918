import type { MetadataQueries } from "./queries/metadata.ts";

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

/** The metadata key of the policy; without it sandbox stores alone allow private addresses. */
const policyKey = "private_hooks";
const policies = { allowed: "allowed", refused: "refused" } as const;

/** Whether webhooks of a store may lead to addresses that are not public (OP-104). `get` reads its metadata. */
export async function allowsPrivateHooks(get: MetadataQueries["get"]): Promise<boolean> {
  const kept = await get(policyKey);
  return kept === undefined ? (await get(sandboxOffset)) !== undefined : kept === policies.allowed;
}

/** Sets the policy for every process that delivers from the store, running ones too. */
export function setPrivateHooks(metadata: Pick<MetadataQueries, "set">, areAllowed: boolean): Promise<void> {
  return metadata.set(policyKey, areAllowed ? policies.allowed : policies.refused);
}
