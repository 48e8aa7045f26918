import type { Service } from "../../core/service.ts";
import { DispatchError } from "../../errors/errors.ts";
import { allowsPrivateHooks } from "../../store/private-hooks.ts";
import type { TenantStore } from "../../store/tenant-store.ts";
import { isGuardedLiteral } from "../../webhooks/address-guard.ts";

/** Refuses a callback URL that names a private address outright, where those are not allowed (OP-71, OP-104). */
export async function requireDeliverable(
  service: Pick<Service, "allowsPrivateHooks">,
  { metadata }: Pick<TenantStore, "metadata">,
  url: string,
  field: string,
): Promise<void> {
  if (!isGuardedLiteral(new URL(url)) || service.allowsPrivateHooks) return;
  if (await allowsPrivateHooks(metadata.get)) return;
  const detail = `${field} names an address that is not public; webhooks lead to public addresses only, unless whoever operates the store allows others.`;
  throw new DispatchError([{ code: "invalid_format", detail, field, see: { command: "store policy" } }]);
}
