import { type Timestamp, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "./access/row-scopes.ts";
import { heldMark, sandboxOffset } from "./metadata-keys.ts";
import type { MetadataQueries } from "./queries/metadata.ts";
import type { Store } from "./store.ts";

export interface Hold {
  since: Timestamp;
  /** A sentence without its full stop. */
  reason: string;
}

export async function readHold(metadata: Pick<MetadataQueries, "get">): Promise<Hold | null> {
  const kept = await metadata.get(heldMark);
  return kept === undefined ? null : parseHold(kept);
}

/** Holds the deliveries of a store: from now on no worker of any process claims one. */
export function holdDeliveries(metadata: Pick<MetadataQueries, "set">, hold: Hold): Promise<void> {
  return metadata.set(heldMark, toHoldText(hold));
}

export function toHoldText({ since, reason }: Hold): string {
  return JSON.stringify({ reason, since });
}

export function toHoldSentence({ since, reason }: Hold): string {
  return `Deliveries to webhooks have been held since ${since}: ${reason}.`;
}

/**
 * Resumes the deliveries of a store. With `discardingAt` it first cancels the pending ones, in the same transaction.
 * Returns how many it canceled.
 */
export function resumeDeliveries(
  { write }: Pick<Store, "write">,
  discardingAt: Timestamp | null,
): Promise<number> {
  return write(noTenant, async ({ backlog, metadata }) => {
    const discarded = discardingAt === null ? 0 : await backlog.discardPending(discardingAt);
    await metadata.remove(heldMark);
    return discarded;
  });
}

const noTenant = { tenantId: 0, rowScopes: wholeTenant };

/** A mark that somebody broke by hand still holds the deliveries. */
function parseHold(kept: string): Hold {
  try {
    const { since, reason } = JSON.parse(kept);
    if (typeof since === "string" && typeof reason === "string") return { since, reason };
  } catch {
    // Handled below.
  }
  return { since: toTimestamp(0), reason: "its mark in the store is unreadable" };
}

const policyKey = "private_hooks";
const policies = { allowed: "allowed", refused: "refused" } as const;

/** Whether webhooks of a store may lead to addresses that are not public. `get` reads its metadata. */
export async function allowsPrivateHooks(get: MetadataQueries["get"]): Promise<boolean> {
  const kept = await get(policyKey);
  return kept === undefined ? (await get(sandboxOffset)) !== undefined : kept === policies.allowed;
}

/** Sets the policy for every process that sends deliveries, running ones too. */
export function setPrivateHooks(metadata: Pick<MetadataQueries, "set">, areAllowed: boolean): Promise<void> {
  return metadata.set(policyKey, areAllowed ? policies.allowed : policies.refused);
}
