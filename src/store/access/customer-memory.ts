import type { Customer } from "../schema/customer.ts";
import type { RevisionCache } from "./revision-cache.ts";

/** The customers that a reader or writer finds in memory, each at a revision of the database. */
export interface CustomerMemory {
  /** The customer as the same transaction has read it, so that it need not ask for its revision again. */
  known(id: number): Customer | undefined;
  get(id: number, revision: number): Customer | undefined;
  /** Keeps what was read of the database, at its revision. */
  keep(id: number, revision: number, customer: Customer | undefined): void;
  /** The transaction has changed the customer. */
  forget(id: number): void;
}

/** What all read from and leave behind what they read. */
export function toSharedMemory(cache: RevisionCache<number, Customer>): CustomerMemory {
  return {
    known: () => undefined,
    get: (id, revision) => cache.get(id, revision),
    keep(id, revision, customer) {
      if (customer) cache.keep(id, revision, customer);
    },
    forget: () => undefined,
  };
}

/**
 * What one transaction that writes has read: nobody else changes it meanwhile. Others get it by `publish`, which must
 * wait for the commit, because the transaction reads what it has changed itself.
 */
export function createTransactionMemory(
  cache: RevisionCache<number, Customer>,
): CustomerMemory & { publish(): void } {
  const read = new Map<number, { revision: number; customer: Customer }>();
  const keep = (id: number, revision: number, customer: Customer | undefined) => {
    if (customer) read.set(id, { revision, customer });
  };
  return {
    known: (id) => read.get(id)?.customer,
    get(id, revision) {
      const customer = cache.get(id, revision);
      keep(id, revision, customer);
      return customer;
    },
    keep,
    forget: (id) => void read.delete(id),
    publish() {
      for (const [id, { customer, revision }] of read) cache.keep(id, revision, customer);
    },
  };
}

/** For statements that commit one by one: takes customers from memory, and leaves none there. */
export function toPassingMemory(cache: RevisionCache<number, Customer>): CustomerMemory {
  return { ...toSharedMemory(cache), keep: () => undefined };
}
