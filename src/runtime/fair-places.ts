interface FairPlacesOptions {
  places: number;
  /** Only tenants without a place can take these last places. */
  reserved?: number;
}

/** Frees the place. Call it once. */
export type Leave = () => void;

/** Max-min fair: the next free place goes to the waiting tenant with the fewest places, then least recently served. */
export class FairPlaces {
  readonly #places: number;
  readonly #heldMax: number;
  /** Tenants that hold places or wait, the last served last. */
  readonly #holders = new Map<number, Holder>();
  #taken = 0;

  constructor({ places, reserved = 0 }: FairPlacesOptions) {
    this.#places = places;
    this.#heldMax = places - reserved;
  }

  /** Rejects with the reason of `signal`. */
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

  /** undefined if the tenant has to wait. */
  takeAtOnce(tenantId: number): Leave | undefined {
    const holder = this.#holderOf(tenantId);
    if (holder.waiting.length === 0 && this.#isOpenTo(holder)) {
      this.#putLast(holder);
      return this.#hold(holder);
    }
    this.#forgetIdle(holder);
    return undefined;
  }

  /** Takes a place even if none is free. It reduces no other tenant's share. */
  seize(tenantId: number): Leave {
    return this.#hold(this.#holderOf(tenantId));
  }

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

  /** Places beyond a tenant's maximum do not count against the others. */
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
