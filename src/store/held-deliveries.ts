import { type Timestamp, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "./access/row-scopes.ts";
import { heldMark, sandboxOffset } from "./metadata-keys.ts";
import type { MetadataQueries } from "./queries/metadata.ts";
import type { Store } from "./store.ts";

export interface Hold {
  since: Timestamp;
  /** A sentence without its period. */
  reason: string;
}

export async function readHold(metadata: Pick<MetadataQueries, "get">): Promise<Hold | null> {
  const kept = await metadata.get(heldMark);
  return kept === undefined ? null : parseHold(kept);
}

export function holdDeliveries(metadata: Pick<MetadataQueries, "set">, hold: Hold): Promise<void> {
  return metadata.set(heldMark, toHoldText(hold));
}

export function toHoldText({ since, reason }: Hold): string {
  return JSON.stringify({ reason, since });
}

export function toHoldSentence({ since, reason }: Hold): string {
  return `Deliveries to webhooks have been held since ${since}: ${reason}.`;
}

/** With `discardingAt` it first cancels the pending deliveries in the same transaction. Returns the number canceled. */
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

/** An unreadable mark still holds the deliveries. */
function parseHold(kept: string): Hold {
  try {
    const { since, reason } = JSON.parse(kept);
    if (typeof since === "string" && typeof reason === "string") return { since, reason };
  } catch {}
  return { since: toTimestamp(0), reason: "its mark in the store is unreadable" };
}

const policyKey = "private_hooks";
const policies = { allowed: "allowed", refused: "refused" } as const;

/** Whether webhooks may call private addresses. `get` reads the store's metadata. */
export async function allowsPrivateHooks(get: MetadataQueries["get"]): Promise<boolean> {
  const kept = await get(policyKey);
  return kept === undefined ? (await get(sandboxOffset)) !== undefined : kept === policies.allowed;
}

/** Applies to every process that sends deliveries, including running ones. */
export function setPrivateHooks(metadata: Pick<MetadataQueries, "set">, areAllowed: boolean): Promise<void> {
  return metadata.set(policyKey, areAllowed ? policies.allowed : policies.refused);
}
