import type { CliContext, OptionValues } from "../context.ts";
import { readSettings, type Settings } from "../settings.ts";
import type { Target } from "./target.ts";
import { useTarget } from "./use-target.ts";

/** Runs `--tenant 1,2,3` or `all` in sequence. Default: the usual tenant, or all with `isAllByDefault`. */
export async function eachTenant(
  context: CliContext,
  options: OptionValues,
  isAllByDefault: boolean,
  work: (target: Target, settings: Settings) => Promise<void>,
): Promise<void> {
  for (const tenant of await findTenants(context, options, isAllByDefault)) {
    await useTarget(context, tenant === null ? options : { ...options, tenant }, work);
  }
}

async function findTenants(
  context: CliContext,
  { tenant, ...options }: OptionValues,
  isAllByDefault: boolean,
): Promise<(string | null)[]> {
  const given = typeof tenant === "string" ? tenant : null;
  if (given !== null && /^\d+(,\s*\d+)+$/.test(given)) {
    const ids = given.split(",").map((id) => id.trim());
    // Refuses an unknown tenant before anything changes.
    for (const id of ids) await useTarget(context, { ...options, tenant: id }, async () => undefined);
    return ids;
  }
  if (given !== null && given !== "all") return [given];
  const settings = readSettings(context, options);
  const isAll = given === "all" || (isAllByDefault && settings.tenant.value === null);
  if (!isAll) return [null];
  const ids = await useTarget(context, options, readTenantIds, { anyTenant: true });
  return ids.map(String);
}

/** A server lists a thousand at most; an operator with more tenants has the store. */
async function readTenantIds(target: Target): Promise<number[]> {
  if (target.store) return (await target.store.service.store.accounts.tenants()).map(({ id }) => id);
  const { results } = await target.client.call("tenants.list", { query: { page_limit: 1000 } });
  return results.map(({ id }) => id);
}
