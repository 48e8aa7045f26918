/** How many places there are, and for whom. */
interface FairPlacesOptions {
  places: number;
  /** The last so many places go only to those who hold none, so that nobody can hold all. */
  reserved?: number;
}

/** Gives a place back; to be called once. */
export type Leave = () => void;

/**
 * Shares places among tenants, max-min fair: who waits gets the next free place when its tenant holds the fewest, the
 * tenant that was served longest ago among equals, and within a tenant who came first. Where only one tenant asks, it
 * gets every place but the reserved ones.
 */
export class FairPlaces {
  readonly #places: number;
  readonly #heldMax: number;
  /** Those who hold places or wait; whoever got one or gave one back last stands last. */
  readonly #holders = new Map<number, Holder>();
  #taken = 0;

  constructor({ places, reserved = 0 }: FairPlacesOptions) {
    this.#places = places;
    this.#heldMax = places - reserved;
  }

  /** Resolves when the tenant has got a place; rejects with the reason of `signal` when that ends the waiting before. */
  take(tenantId: number, signal?: AbortSignal): Promise<Leave> {
    const holder = this.#holderOf(tenantId);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        holder.waiting.splice(holder.waiting.indexOf(enter), 1);
        this.#forgetIdle(holder);
        reject(signal?.reason);
      };
      const enter = (leave: Leave) => {
        signal?.removeEventListener("abort", giveUp);
        resolve(leave);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      holder.waiting.push(enter);
      this.#admit();
    });
  }

  /** Takes a place that the tenant need not wait for; undefined where it must. */
  takeAtOnce(tenantId: number): Leave | undefined {
    const holder = this.#holderOf(tenantId);
    if (holder.waiting.length === 0 && this.#isOpenTo(holder)) {
      this.#putLast(holder);
      return this.#hold(holder);
    }
    this.#forgetIdle(holder);
    return undefined;
  }

  /** Takes a place even if none is free, for what runs already. Of such places a tenant cannot take away those of others. */
  seize(tenantId: number): Leave {
    return this.#hold(this.#holderOf(tenantId));
  }

  /** How many wait: of the tenant, and in all. */
  countWaiting(tenantId: number): { own: number; all: number } {
    let all = 0;
    for (const { waiting } of this.#holders.values()) all += waiting.length;
    return { own: this.#holders.get(tenantId)?.waiting.length ?? 0, all };
  }

  #holderOf(tenantId: number): Holder {
    const holder = this.#holders.get(tenantId) ?? { tenantId, held: 0, waiting: [] };
    this.#holders.set(tenantId, holder);
    return holder;
  }

  #hold(holder: Holder): Leave {
    this.#count(holder, 1);
    return () => {
      this.#count(holder, -1);
      this.#putLast(holder);
      this.#forgetIdle(holder);
      this.#admit();
    };
  }

  #putLast(holder: Holder): void {
    this.#holders.delete(holder.tenantId);
    this.#holders.set(holder.tenantId, holder);
  }

  #forgetIdle({ held, tenantId, waiting }: Holder): void {
    if (held === 0 && waiting.length === 0) this.#holders.delete(tenantId);
  }

  /** What a tenant holds beyond what one may have takes no place from the others. */
  #count(holder: Holder, change: 1 | -1): void {
    this.#taken -= Math.min(holder.held, this.#heldMax);
    holder.held += change;
    this.#taken += Math.min(holder.held, this.#heldMax);
  }

  #admit(): void {
    for (let next = this.#findNext(); next; next = this.#findNext()) {
      const enter = next.waiting.shift();
      this.#putLast(next);
      enter?.(this.#hold(next));
    }
  }

  #findNext(): Holder | undefined {
    let fewest: Holder | undefined;
    for (const holder of this.#holders.values()) {
      if (this.#mayEnter(holder) && (!fewest || holder.held < fewest.held)) fewest = holder;
    }
    return fewest;
  }

  #mayEnter(holder: Holder): boolean {
    return holder.waiting.length > 0 && this.#isOpenTo(holder);
  }

  #isOpenTo({ held }: Holder): boolean {
    if (held >= this.#heldMax) return false;
    return this.#taken < (held === 0 ? this.#places : this.#heldMax);
  }
}

interface Holder {
  tenantId: number;
  held: number;
  waiting: ((leave: Leave) => void)[];
}
