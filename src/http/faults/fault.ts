import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type DispatchError, failure } from "../../errors/errors.ts";
import type { Client } from "../http-messages.ts";

export type Fault =
  | { kind: "503" }
  | { kind: "slow"; ms: number }
  /** No response; `isDone` still runs the operation. */
  | { kind: "drop" | "timeout"; isDone: boolean };

export const faultHeader = "x-sandbox-fault";

const slowMsMax = 30_000;
/** After this time, the server closes the connection. */
const silentMsMax = 120_000;

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

const heldPerTenantMax = 20;
const heldMax = 100;

/** Delays requests outside of the queues. */
export class HeldRequests {
  #ending = createEnding();
  readonly #held = new Map<number, number>();

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

  silence(tenantId: number, client: Client): Promise<void> {
    return this.delay(silentMsMax, tenantId, client);
  }

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

/** Node would report the many listeners as a leak. */
function createEnding(): AbortController {
  const ending = new AbortController();
  setMaxListeners(heldMax, ending.signal);
  return ending;
}

const lookMs = 100;

const tooMany = (): DispatchError =>
  failure(
    "overloaded",
    `Too many requests wait because of ${faultHeader}: ${heldPerTenantMax} of a tenant, ${heldMax} in all.`,
  );

export const askedRefusal = (): DispatchError =>
  failure("overloaded", `The request asked for this with ${faultHeader}.`);
