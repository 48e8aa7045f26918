import { type DispatchError, failure } from "../../errors/errors.ts";
import type { Condition } from "../condition.ts";
import { type StoreSchema, suitsThisProgram, toTooNew } from "../migrations/index.ts";

/** How long a change of the tables may go unnoticed; a step that shuts older programs out waits for longer (OP-329). */
export const unnoticedMsMax = 2000;

/**
 * Keeps a program from working with tables that a newer one has made unfit for it. It asks when there is work, every few
 * seconds at most, so an idle server asks nothing.
 */
export class SchemaGuard {
  readonly #condition: Condition;
  readonly #read: () => Promise<StoreSchema>;
  #looking: Promise<void> | undefined;
  // Who opens a store has just looked.
  #looksAgainAtMs = performance.now() + unnoticedMsMax;
  #fault: DispatchError | null = null;

  constructor(condition: Condition, read: () => Promise<StoreSchema>) {
    this.#condition = condition;
    this.#read = read;
  }

  /** Throws store_unavailable when the tables are not for this program any more. */
  async pass(): Promise<void> {
    if (performance.now() >= this.#looksAgainAtMs) await this.look();
    if (this.#fault) throw this.#fault;
  }

  /** Asks the database now, and notes what it says. A database that does not answer is somebody else's to tell of. */
  look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #ask(): Promise<void> {
    const found = await this.#read().catch(() => null);
    if (found === null) return;
    const isFit = suitsThisProgram(found);
    this.#fault = isFit ? null : failure("store_unavailable", toTooNew("The store", found));
    this.#condition.note("schema", this.#fault);
    // A step that failed puts back what the older programs may do: they need not wait long for it.
    this.#looksAgainAtMs = performance.now() + (isFit ? unnoticedMsMax : 1000);
  }
}
