import { DispatchError } from "../errors/errors.ts";

/** What can be wrong with a store while it is used, the gravest first. */
const checks = ["file", "damage", "schema", "row_level_security", "write"] as const;

export type StoreCheck = (typeof checks)[number];

/** Why a store cannot be relied on. */
export interface StoreFault {
  /**
   * Its file was lost, its pages are damaged, its tables are for newer programs, nothing stands between its tenants, or the
   * latest write failed.
   */
  check: StoreCheck;
  error: DispatchError;
}

/** What this process knows of the state of its store without asking the store. */
export class Condition {
  readonly #faults = new Map<StoreCheck, DispatchError>();
  readonly #listeners: ((fault: StoreFault | null) => void)[] = [];
  readonly #isPassing: (error: DispatchError) => boolean;

  /** `isPassing` tells faults that say nothing of the store, as when others hold a lock. */
  constructor(isPassing: (error: DispatchError) => boolean) {
    this.#isPassing = isPassing;
  }

  /** The gravest fault; null while there is none. */
  get fault(): StoreFault | null {
    for (const check of checks) {
      const error = this.#faults.get(check);
      if (error) return { check, error };
    }
    return null;
  }

  /** Notes that something is wrong, or with null that it is well. */
  note(check: StoreCheck, error: DispatchError | null): void {
    if (!error && !this.#faults.has(check)) return;
    const before = this.fault;
    if (error) this.#faults.set(check, error);
    else this.#faults.delete(check);
    const { fault } = this;
    if (before?.check === fault?.check) return;
    for (const listener of this.#listeners) listener(fault);
  }

  /** Passes the outcome of a write on, and notes it. What a caller did wrong says nothing of the store. */
  async noteWrite<T>(write: Promise<T>): Promise<T> {
    try {
      const result = await write;
      this.note("write", null);
      return result;
    } catch (error) {
      if (isOfStore(error) && !this.#isPassing(error)) this.note("write", error);
      throw error;
    }
  }

  /** Calls `listener` when another fault is the gravest, or there is none any more. */
  onChange(listener: (fault: StoreFault | null) => void): void {
    this.#listeners.push(listener);
  }
}

function isOfStore(error: unknown): error is DispatchError {
  return (
    error instanceof DispatchError &&
    (error.code === "store_unavailable" || error.code === "store_unreadable")
  );
}
