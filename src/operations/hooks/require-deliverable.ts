import type { Service } from "../../core/service.ts";
import { failure } from "../../errors/errors.ts";
import { isGuardedLiteral } from "../../webhooks/address-guard.ts";

/** Refuses a callback URL that names a private address outright, where those are not allowed (OP-71). */
export function requireDeliverable(
  service: Pick<Service, "allowsPrivateHooks">,
  url: string,
  field: string,
): void {
  if (service.allowsPrivateHooks || !isGuardedLiteral(new URL(url))) return;
  const detail = `${field} names an address that is not public; a server delivers there only when its operator allows it.`;
  throw failure("invalid_format", detail, field);
}
