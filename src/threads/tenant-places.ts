import { failure } from "../errors/errors.ts";

/** How many places there are, for those who run and for those who wait. */
export interface PlaceLimits {
  places: number;
  placesPerTenant: number;
  waitingMax: number;
  waitingPerTenantMax: number;
}

interface Waiter {
  begin(): void;
}

interface Tenant {
  running: number;
  waiting: Waiter[];
}

/**
 * Shares a number of places among tenants: a free one goes to a waiting tenant that has the fewest, and among those to the
 * one that was served longest ago. Within a tenant who came first is first.
 */
export class TenantPlaces {
  readonly #limits: PlaceLimits;
  /** Those with something running or waiting; who was served longest ago comes first. */
  readonly #tenants = new Map<number, Tenant>();
  #running = 0;
  #waiting = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Runs `work` when a place is free. Throws overloaded when too many wait, or when `signal` ends the waiting. */
  async run<T>(tenantId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const tenant = this.#tenants.get(tenantId) ?? { running: 0, waiting: [] };
    const { waitingMax, waitingPerTenantMax } = this.#limits;
    const isFull = this.#waiting >= waitingMax || tenant.waiting.length >= waitingPerTenantMax;
    if (isFull && !this.#isFree(tenant)) throw tooMany();
    this.#tenants.set(tenantId, tenant);
    await this.#take(tenantId, tenant, signal);
    try {
      return await work();
    } finally {
      tenant.running -= 1;
      this.#running -= 1;
      this.#putLast(tenantId, tenant);
      this.#serve();
    }
  }

  #isFree(tenant: Tenant): boolean {
    return this.#running < this.#limits.places && tenant.running < this.#limits.placesPerTenant;
  }

  #take(tenantId: number, tenant: Tenant, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        tenant.waiting = tenant.waiting.filter((other) => other !== waiter);
        this.#waiting -= 1;
        if (tenant.running === 0 && tenant.waiting.length === 0) this.#tenants.delete(tenantId);
        reject(failure("overloaded", "The work waited too long for its turn; it was not begun."));
      };
      const waiter = {
        begin: () => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      signal.addEventListener("abort", giveUp, { once: true });
      tenant.waiting.push(waiter);
      this.#waiting += 1;
      this.#serve();
    });
  }

  #serve(): void {
    for (;;) {
      let next: [number, Tenant] | undefined;
      for (const entry of this.#tenants) {
        const [, tenant] = entry;
        if (tenant.waiting.length === 0 || !this.#isFree(tenant)) continue;
        if (!next || tenant.running < next[1].running) next = entry;
      }
      const waiter = next?.[1].waiting.shift();
      if (!next || !waiter) return;
      const [tenantId, tenant] = next;
      tenant.running += 1;
      this.#running += 1;
      this.#waiting -= 1;
      this.#putLast(tenantId, tenant);
      waiter.begin();
    }
  }

  /** Who has neither work nor wishes is forgotten. */
  #putLast(tenantId: number, tenant: Tenant): void {
    this.#tenants.delete(tenantId);
    if (tenant.running > 0 || tenant.waiting.length > 0) this.#tenants.set(tenantId, tenant);
  }
}

const tooMany = () => failure("overloaded", "Too much work of this kind waits already; this was not begun.");
