import type { Context } from "../../core/context.ts";
import { failure } from "../../errors/errors.ts";

/**
 * Throws limit_reached when the tenant has as many active webhooks as one may have (OP-99). Writers of a tenant take turns,
 * so no two of them find the last place free.
 */
export async function requireHookRoom({ service, store }: Pick<Context, "service" | "store">): Promise<void> {
  const max = service.hooksPerTenantMax;
  if ((await store.hooks.countActive(max)) < max) return;
  throw failure("limit_reached", `A tenant may have ${max} active webhooks, and this one has them.`);
}
