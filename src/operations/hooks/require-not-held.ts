import { DispatchError } from "../../errors/errors.ts";
import { readHold, toHoldSentence } from "../../store/held-deliveries.ts";
import type { TenantStore } from "../../store/tenant-store.ts";

/** Refuses to call a webhook while the store's deliveries are held (OP-189). Throws state_conflict. */
export async function requireNotHeld({ metadata }: Pick<TenantStore, "metadata">): Promise<void> {
  const hold = await readHold(metadata);
  if (hold === null) return;
  const detail = `${toHoldSentence(hold)} Until whoever operates the store lets them go on, nothing is sent.`;
  throw new DispatchError([
    { code: "state_conflict", detail, field: null, see: { command: "hooks resume" } },
  ]);
}
