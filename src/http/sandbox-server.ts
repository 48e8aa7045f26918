import type { Service } from "../core/service.ts";
import type { SandboxControl } from "../core/serving.ts";
import { failure } from "../errors/errors.ts";
import { clockOffsetHeader, toEpochMs } from "../runtime/clock.ts";
import { readClock } from "../store/store-clock.ts";
import { HeldRequests } from "./faults/fault.ts";
import type { Handler } from "./handler.ts";
import type { FullAnswer } from "./http-messages.ts";
import type { Recorder } from "./recording/recorder.ts";
import { toHar } from "./recording/to-har.ts";
import type { ServedStore } from "./serve-store.ts";

/** Records requests, fails on request, and can restart with its first data. */
export interface SandboxServer extends SandboxControl {
  handle: Handler;
  held: HeldRequests;
  use(store: ServedStore): void;
  /** `reset` is for requests, `restart` for all others. */
  restart(): Promise<void>;
  current(): ServedStore;
}

export interface SandboxServerOptions {
  recorder: Recorder;
  /** Opens the store with its first data; null if that is impossible. */
  restore: (() => Promise<Service>) | null;
  serve(service: Service): Promise<ServedStore>;
}

export function createSandboxServer({ recorder, restore, serve }: SandboxServerOptions): SandboxServer {
  const held = new HeldRequests();
  const gate = new Gate();
  let store: ServedStore | undefined;
  const current = () => {
    if (store) return store;
    throw new Error("A sandbox server answers once it has a store.");
  };
  const replaceStore = async (open: () => Promise<Service>) => {
    held.endAll();
    await gate.closed(async () => {
      const old = current();
      await old.stop(attemptMsMax, Promise.resolve());
      const opened = await open().catch((error: unknown) => ({ error }));
      // Serves the old store again if it cannot be replaced.
      store = await serve("error" in opened ? old.service : opened);
      await store.start();
      if ("error" in opened) throw opened.error;
      recorder.forget();
      await old.service.store.close();
    });
  };
  let resetting: Promise<void> | null = null;
  /** Clients interpret relative times by this clock. */
  const tellClock = (answer: FullAnswer): FullAnswer => {
    const { clock } = current().service;
    const offsetMs = toEpochMs(clock.now()) - toEpochMs(clock.unmoved());
    if (Math.abs(offsetMs) <= tickMs) return answer;
    return { ...answer, head: [...answer.head, clockOffsetHeader, String(offsetMs)] };
  };
  const restart = () => {
    if (!restore) return Promise.reject(noReset());
    resetting ??= replaceStore(restore).finally(() => {
      resetting = null;
    });
    return resetting;
  };
  return {
    held,
    current,
    use: (first) => {
      store = first;
    },
    handle: (incoming, onFault) => {
      const answer = gate.pass(() => current().handle(incoming, onFault));
      return answer instanceof Promise ? answer.then(tellClock) : tellClock(answer);
    },
    toArchive: (tenantId) => toHar(recorder.read(tenantId)),
    async reset() {
      await gate.beside(restart());
      return readClock(current().service);
    },
    restart,
  };
}

/** Time passes between two reads of the clock. */
const tickMs = 10;

/** How long running deliveries may continue. */
const attemptMsMax = 1000;

const noReset = () =>
  failure(
    "state_conflict",
    "This store cannot be reset. Only a server with one process can reset a store, in memory or in a file of at most 256 MiB.",
  );

/** How long a running request may block a reset. */
const runningMsMax = 5000;

class Gate {
  #running = 0;
  #opening: Promise<void> | null = null;
  #onIdle = () => {};

  pass<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#opening !== null) return this.#opening.then(() => this.pass(work));
    this.#running += 1;
    const leave = () => this.#leave();
    try {
      const result = work();
      if (result instanceof Promise) return result.finally(leave);
      leave();
      return result;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async beside<T>(work: Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await work;
    } finally {
      this.#running += 1;
    }
  }

  async closed(work: () => Promise<void>): Promise<void> {
    let open = () => {};
    this.#opening = new Promise((resolve) => {
      open = resolve;
    });
    try {
      await this.#idle();
      await work();
    } finally {
      this.#opening = null;
      open();
    }
  }

  #leave(): void {
    this.#running -= 1;
    if (this.#running <= 0) this.#onIdle();
  }

  async #idle(): Promise<void> {
    // Lets the request that asks for a reset leave the gate first.
    await null;
    if (this.#running <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, runningMsMax);
    });
    clearTimeout(timer);
  }
}
