import { FairPlaces, type Leave } from "../runtime/fair-places.ts";

/** Resolves when an attempt of the tenant may begin; call what it gives, once, when the attempt is over. */
export type ConcurrencyLimiter = (tenantId: number, isSlow: boolean) => Promise<Leave>;

/** An attempt that lasts longer than this is slow, and so is a webhook whose last attempt was. */
export const slowAfterMs = 1000;

/** Of the attempts at once a quarter is kept for tenants that have none under way (OP-175). */
const shares = { places: 64, reserved: 16 };

/**
 * Decides when attempts begin: 64 at once, and beside them 64 to slow webhooks, both shared fairly among tenants. An
 * attempt that lasts longer than a second frees its place for the next attempt and counts as a slow one from then on. So
 * slow and hanging receivers, however many, hold back each other, and the others for a second at most.
 */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const places = new FairPlaces(shares);
  const slowPlaces = new FairPlaces(shares);
  return async (tenantId, isSlow) => {
    let leave = await (isSlow ? slowPlaces : places).take(tenantId);
    if (isSlow) return leave;
    const moving = setTimeout(() => {
      leave();
      leave = slowPlaces.seize(tenantId);
    }, slowAfterMs);
    return () => {
      clearTimeout(moving);
      leave();
    };
  };
}
