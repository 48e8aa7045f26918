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
  readonly #holders = new Map<number, Holder>();
  /** The tenants somebody of whom waits; whoever was served last stands last. */
  readonly #waiting = new Set<Holder>();
  #taken = 0;

  constructor({ places, reserved = 0 }: FairPlacesOptions) {
    this.#places = places;
    this.#heldMax = places - reserved;
  }

  /** Resolves when the tenant has got a place. */
  take(tenantId: number): Promise<Leave> {
    const holder = this.#holderOf(tenantId);
    return new Promise((resolve) => {
      holder.waiting.push(resolve);
      this.#waiting.add(holder);
      this.#admit();
    });
  }

  /** Takes a place even if none is free, for what runs already. Of such places a tenant cannot take away those of others. */
  seize(tenantId: number): Leave {
    return this.#hold(this.#holderOf(tenantId));
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
      if (holder.held === 0 && holder.waiting.length === 0) this.#holders.delete(holder.tenantId);
      this.#admit();
    };
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
      this.#waiting.delete(next);
      if (next.waiting.length > 0) this.#waiting.add(next);
      enter?.(this.#hold(next));
    }
  }

  #findNext(): Holder | undefined {
    let fewest: Holder | undefined;
    for (const holder of this.#waiting) {
      if (this.#mayEnter(holder) && (!fewest || holder.held < fewest.held)) fewest = holder;
    }
    return fewest;
  }

  #mayEnter({ held }: Holder): boolean {
    if (held >= this.#heldMax) return false;
    return this.#taken < (held === 0 ? this.#places : this.#heldMax);
  }
}

interface Holder {
  tenantId: number;
  held: number;
  waiting: ((leave: Leave) => void)[];
}
