import { type MetadataQueries, sandboxOffset } from "./queries/metadata.ts";

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
