import type { Endpoint } from "../store/queries/backlog.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";

/** The queues of a worker, one for each webhook that had something due since the worker started. */
export class EndpointQueues {
  readonly #make: (endpoint: Endpoint, onIdle: () => void) => EndpointQueue;
  readonly #byHook = new Map<number, EndpointQueue>();
  readonly #whenIdle: (() => void)[] = [];

  constructor(make: (endpoint: Endpoint, onIdle: () => void) => EndpointQueue) {
    this.#make = make;
  }

  /** Has the queue of a webhook look for what is due. */
  run(endpoint: Endpoint): void {
    const queue = this.#byHook.get(endpoint.hookId) ?? this.#make(endpoint, () => this.#tellIfIdle());
    this.#byHook.set(endpoint.hookId, queue);
    queue.run();
  }

  /** Resolves when no queue has anything under way. */
  async idle(): Promise<void> {
    if (!this.isIdle) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Makes due again what was claimed and not begun. */
  async releaseClaimed(): Promise<void> {
    for (const queue of this.#byHook.values()) await queue.releaseClaimed();
  }

  /** Whether no queue has anything under way. */
  get isIdle(): boolean {
    return [...this.#byHook.values()].every((queue) => queue.isIdle);
  }

  #tellIfIdle(): void {
    if (this.isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
