import type { Customer } from "../schema/customer.ts";

/** An LRU cache. A caller passes the database's current revision and never gets a value of an earlier revision. */
class RevisionCache<Key extends number | string, Value, Revision extends number | string = number> {
  readonly #valuesMax: number;
  readonly #kept = new Map<Key, { revision: Revision; value: Value }>();

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax;
  }

  get(key: Key, revision: Revision): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept?.revision !== revision) return undefined;
    this.#keepLast(key, kept);
    return kept.value;
  }

  keep(key: Key, revision: Revision, value: Value): void {
    this.#keepLast(key, { revision, value });
    if (this.#kept.size > this.#valuesMax) this.#kept.delete(this.#kept.keys().next().value ?? key);
  }

  #keepLast(key: Key, kept: { revision: Revision; value: Value }): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }
}

export interface Memories {
  customers: CustomerMemory;
  embeds: EmbedMemory;
}

export interface CustomerMemory {
  /** The customer that this transaction has already read, without a check of the revision. */
  known(id: number): Customer | undefined;
  get(id: number, revision: number): Customer | undefined;
  keep(id: number, revision: number, customer: Customer | undefined): void;
  forget(id: number): void;
}

export interface EmbedMemory {
  /** Returns records from memory or `load`. Call it after the first read, which fixes the snapshot. */
  recall<T extends object>(
    kind: EmbeddedKind,
    ids: readonly number[],
    load: Load<T>,
  ): Promise<ReadonlyMap<number, Readonly<T>>>;
}

type EmbeddedKind = "asset" | "asset_type" | "customer" | "dump_destination";

type Load<T> = (missing: readonly number[]) => Promise<ReadonlyMap<number, Readonly<T>>>;

/** For each kind. A record takes 1 to 3 KB. */
const recordsMax = 5000;

export function createMemories() {
  const customers = new RevisionCache<number, Customer>(recordsMax);
  const embeds = new Map<EmbeddedKind, RevisionCache<number, object, string>>();
  const cacheOf = (kind: EmbeddedKind) => {
    const known = embeds.get(kind) ?? new RevisionCache<number, object, string>(recordsMax);
    embeds.set(kind, known);
    return known;
  };
  const shared: CustomerMemory = {
    known: () => undefined,
    get: (id, revision) => customers.get(id, revision),
    keep(id, revision, customer) {
      if (customer) customers.keep(id, revision, customer);
    },
    forget: () => undefined,
  };
  return {
    /** For a reader. The cache counts only if `readRevision` still returns `revision` in the transaction. */
    forReader: (tenantId: number, revision: number | null, readRevision: () => number | null): Memories => {
      let sees: boolean | undefined;
      return {
        customers: shared,
        embeds: {
          async recall<T extends object>(kind: EmbeddedKind, ids: readonly number[], load: Load<T>) {
            if (ids.length === 0) return new Map();
            sees ??= revision !== null && readRevision() === revision;
            // Two tenants may have the same revision.
            return sees ? recallAt(cacheOf(kind), `${tenantId} ${revision}`, ids, load) : load(ids);
          },
        },
      };
    },
    /** For one run of a writing transaction. Call `publish` after the commit to share the customers that it read. */
    forWriter: () => toWriting(customers),
    /** For statements that commit one by one: they read the cache and add nothing. */
    passing: { customers: { ...shared, keep: () => undefined }, embeds: noEmbeds } satisfies Memories,
  };
}

async function recallAt<T extends object>(
  cache: RevisionCache<number, object, string>,
  state: string,
  ids: readonly number[],
  load: Load<T>,
): Promise<ReadonlyMap<number, Readonly<T>>> {
  const found = new Map<number, Readonly<T>>();
  const missing: number[] = [];
  for (const id of ids) {
    const kept = cache.get(id, state) as T | undefined;
    if (kept) found.set(id, kept);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  for (const [id, record] of await load(missing)) {
    found.set(id, record);
    cache.keep(id, state, record);
  }
  return found;
}

/** A writer may see uncommitted data, so it does not use the cache for embedded records. */
function toWriting(cache: RevisionCache<number, Customer>): Memories & { publish(): void } {
  const read = new Map<number, { revision: number; customer: Customer }>();
  const keep = (id: number, revision: number, customer: Customer | undefined) => {
    if (customer) read.set(id, { revision, customer });
  };
  return {
    customers: {
      known: (id) => read.get(id)?.customer,
      get(id, revision) {
        const customer = cache.get(id, revision);
        keep(id, revision, customer);
        return customer;
      },
      keep,
      forget: (id) => void read.delete(id),
    },
    embeds: noEmbeds,
    publish() {
      for (const [id, { customer, revision }] of read) cache.keep(id, revision, customer);
    },
  };
}

const noEmbeds: EmbedMemory = { recall: (_kind, ids, load) => load(ids) };

export const noMemories: Memories = createMemories().passing;

/** The number changes with each commit. null if reading it would take a query. */
type ReadRevision = () => number | null;

/** Caches answers of `ask` for one revision. It reads the revision before it asks, so an answer is never older. */
export function remember<Args extends readonly (number | string | null)[], T extends object>(
  readRevision: ReadRevision,
  ask: (...args: Args) => Promise<T | undefined>,
  entriesMax: number,
): (...args: Args) => Promise<T | undefined> {
  const known = new RevisionCache<string, T>(entriesMax);
  return async (...args) => {
    const revision = readRevision();
    if (revision === null) return ask(...args);
    const key = JSON.stringify(args);
    const kept = known.get(key, revision);
    if (kept) return kept;
    const answer = await ask(...args);
    if (answer) known.keep(key, revision, answer);
    return answer;
  };
}
