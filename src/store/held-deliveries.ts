import { type Timestamp, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "./access/row-scopes.ts";
import { heldMark, sandboxOffset } from "./metadata-keys.ts";
import type { MetadataQueries } from "./queries/metadata.ts";
import type { Store } from "./store.ts";

/** Why a store sends nothing to webhooks until its owner lets the deliveries go on (OP-189). */
export interface Hold {
  since: Timestamp;
  /** A sentence without its full stop. */
  reason: string;
}

/** The hold on the deliveries of a store; null while they are made. */
export async function readHold(metadata: Pick<MetadataQueries, "get">): Promise<Hold | null> {
  const kept = await metadata.get(heldMark);
  return kept === undefined ? null : parseHold(kept);
}

/** Holds the deliveries of a store: no worker of any process claims one from now on. */
export function holdDeliveries(metadata: Pick<MetadataQueries, "set">, hold: Hold): Promise<void> {
  return metadata.set(heldMark, toHoldText(hold));
}

/** The hold as it is kept under its key. */
export function toHoldText({ since, reason }: Hold): string {
  return JSON.stringify({ reason, since });
}

/** Says of a store whose deliveries are held since when, and why. */
export function toHoldSentence({ since, reason }: Hold): string {
  return `Deliveries to webhooks are held since ${since}: ${reason}.`;
}

/**
 * Lets the deliveries of a store go on; with `discarding` those that are pending are cancelled first, in the same
 * transaction. Gives how many were cancelled.
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

/** What is held is of the whole store. */
const noTenant = { tenantId: 0, rowScopes: wholeTenant };

/** A mark that somebody edited by hand still holds the deliveries. */
function parseHold(kept: string): Hold {
  try {
    const { since, reason } = JSON.parse(kept);
    if (typeof since === "string" && typeof reason === "string") return { since, reason };
  } catch {
    // Told below.
  }
  return { since: toTimestamp(0), reason: "the mark in the store cannot be read" };
}

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
