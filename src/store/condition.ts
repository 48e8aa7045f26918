import { DispatchError } from "../errors/errors.ts";

const checks = ["file", "damage", "schema", "row_level_security", "standby_lag", "standby", "write"] as const;

export type StoreCheck = (typeof checks)[number];

export interface StoreFault {
  check: StoreCheck;
  error: DispatchError;
}

export class Condition {
  readonly #faults = new Map<StoreCheck, DispatchError>();
  readonly #listeners: ((fault: StoreFault | null) => void)[] = [];
  readonly #isPassing: (error: DispatchError) => boolean;

  /** `isPassing` recognizes errors that are not faults of the store, such as another process's lock. */
  constructor(isPassing: (error: DispatchError) => boolean) {
    this.#isPassing = isPassing;
  }

  get fault(): StoreFault | null {
    for (const check of checks) {
      const error = this.#faults.get(check);
      if (error) return { check, error };
    }
    return null;
  }

  note(check: StoreCheck, error: DispatchError | null): void {
    if (!error && !this.#faults.has(check)) return;
    const before = this.fault;
    if (error) this.#faults.set(check, error);
    else this.#faults.delete(check);
    const { fault } = this;
    if (before?.check === fault?.check) return;
    for (const listener of this.#listeners) listener(fault);
  }

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
