import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type DispatchError, failure } from "../../errors/errors.ts";
import type { Client } from "../http-request.ts";

/** What a request to a sandbox server asks to go wrong. */
export type Fault =
  | { kind: "503" }
  | { kind: "slow"; ms: number }
  /** Its client gets no answer; `isDone` says whether the operation is carried out all the same. */
  | { kind: "drop" | "timeout"; isDone: boolean };

export const faultHeader = "x-sandbox-fault";

const slowMsMax = 30_000;
/** A request that is not answered is cut off after so long. */
const silentMsMax = 120_000;

/** Reads x-sandbox-fault. Throws invalid_header. */
export function parseFault(header: string): Fault {
  const [, seconds] = /^slow=(\d{1,5}(?:\.\d{1,3})?)s$/.exec(header) ?? [];
  if (seconds !== undefined && Number(seconds) * 1000 <= slowMsMax)
    return { kind: "slow", ms: Number(seconds) * 1000 };
  if (header === "503") return { kind: "503" };
  const [, kind, after] = /^(drop|timeout)(=after)?$/.exec(header) ?? [];
  if (kind === "drop" || kind === "timeout") return { kind, isDone: after !== undefined };
  throw failure(
    "invalid_header",
    `${faultHeader} must be 503, timeout, drop, timeout=after, drop=after or slow=2s with up to 30 s.`,
    faultHeader,
  );
}

/** How many requests of a tenant are kept waiting at once, and how many in all. */
const heldPerTenantMax = 20;
const heldMax = 100;

/** Keeps requests waiting that ask for it. They hold no place among those that are worked on. */
export class HeldRequests {
  #ending = createEnding();
  readonly #held = new Map<number, number>();

  /** For a slow request. Throws overloaded where too many wait already. */
  async delay(ms: number, tenantId: number, client: Client): Promise<void> {
    const all = [...this.#held.values()].reduce((sum, count) => sum + count, 0);
    const own = this.#held.get(tenantId) ?? 0;
    if (own >= heldPerTenantMax || all >= heldMax) throw tooMany();
    this.#held.set(tenantId, own + 1);
    try {
      await this.#wait(ms, client);
    } finally {
      const left = (this.#held.get(tenantId) ?? 1) - 1;
      if (left > 0) this.#held.set(tenantId, left);
      else this.#held.delete(tenantId);
    }
  }

  /** For a request that is never answered. */
  silence(tenantId: number, client: Client): Promise<void> {
    return this.delay(silentMsMax, tenantId, client);
  }

  /** Nobody waits any longer. */
  endAll(): void {
    this.#ending.abort();
    this.#ending = createEnding();
  }

  async #wait(ms: number, client: Client): Promise<void> {
    const { signal } = this.#ending;
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && !signal.aborted && !client.isGone?.(); left = until - performance.now())
      await pause(Math.min(left, lookMs), undefined, { signal }).catch(() => undefined);
  }
}

/** Each request that waits listens to it, which is more than Node takes for a leak. */
function createEnding(): AbortController {
  const ending = new AbortController();
  setMaxListeners(heldMax, ending.signal);
  return ending;
}

/** So often it is looked whether the client went away. */
const lookMs = 100;

const tooMany = (): DispatchError =>
  failure(
    "overloaded",
    `Too many requests are kept waiting by ${faultHeader}: ${heldPerTenantMax} of a tenant, ${heldMax} in all.`,
  );

/** The refusal that a request asked for. */
export const askedRefusal = (): DispatchError =>
  failure("overloaded", `The request asked for this with ${faultHeader}.`);
