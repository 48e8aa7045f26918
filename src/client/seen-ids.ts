/** Remembers IDs. Takes about one bit for a number: 100 KB for a million. */
export class SeenIds {
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #others = new Set<unknown>();

  add(id: unknown): boolean {
    return typeof id === "number" && id >= 0 ? this.#addNumber(id) : this.#addOther(id);
  }

  #addNumber(id: number): boolean {
    const number = Math.floor(id / bitsPerBlock);
    const block = this.#blocks.get(number) ?? new Uint8Array(bitsPerBlock / 8);
    this.#blocks.set(number, block);
    const bit = id % bitsPerBlock;
    const byte = block[bit >> 3] ?? 0;
    block[bit >> 3] = byte | (1 << (bit & 7));
    return (byte & (1 << (bit & 7))) === 0;
  }

  /** A record without an ID always counts as new. */
  #addOther(id: unknown): boolean {
    if (id === undefined || id === null) return true;
    const isNew = !this.#others.has(id);
    this.#others.add(id);
    return isNew;
  }
}

const bitsPerBlock = 65_536;
