import { type DispatchError, failure } from "../../errors/errors.ts";
import type { Condition } from "../condition.ts";
import { type StoreSchema, suitsThisProgram, toTooNew } from "../migrations/schema-fit.ts";

/** The time within which a schema change is noticed. A step that locks out older programs waits longer. */
export const unnoticedMsMax = 2000;

/** Stops this program when a newer one has changed the tables too much. Checks during work, every few seconds. */
export class SchemaGuard {
  readonly #condition: Condition;
  readonly #read: () => Promise<StoreSchema>;
  #looking: Promise<void> | undefined;
  #looksAgainAtMs = performance.now() + unnoticedMsMax;
  #fault: DispatchError | null = null;

  constructor(condition: Condition, read: () => Promise<StoreSchema>) {
    this.#condition = condition;
    this.#read = read;
  }

  async pass(): Promise<void> {
    if (performance.now() >= this.#looksAgainAtMs) await this.look();
    if (this.#fault) throw this.#fault;
  }

  /** Asks the database and records the answer. Other checks report a database that does not answer. */
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
    // After a failed migration, older programs may work again soon.
    this.#looksAgainAtMs = performance.now() + (isFit ? unnoticedMsMax : 1000);
  }
}
