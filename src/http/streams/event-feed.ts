import type { Service } from "../../core/service.ts";
import { wholeTenant } from "../../store/access/row-scopes.ts";
import type { LoggedEvent } from "../../store/queries/events.ts";
import { type Poller, startPoller } from "../../webhooks/poller.ts";

/** The poll interval for other processes' events. Own events arrive at once. */
const pollMs = 500;

const readMax = 100;
const givenCharactersMax = 256 * 1024;

/** Streams read the end of the log from memory. */
const heldMax = 500;
const heldCharactersMax = 4 * 1024 * 1024;

/** Reads a tenant's log once for all its streams, and caches the latest events. */
export class EventFeed {
  readonly #service: Pick<Service, "outbox" | "store">;
  readonly #tenantId: number;
  readonly #poller: Poller;
  readonly #waiting = new Set<() => void>();
  readonly #onFault: (error: unknown) => void;
  /** The last events, without a gap. */
  #held: LoggedEvent[] = [];
  #heldCharacters = 0;
  /** The number before the first cached event. */
  #heldAfter: number;
  #head: number;
  #revision: number | null = null;
  #isFaulty = false;

  constructor(
    service: Pick<Service, "outbox" | "store">,
    tenantId: number,
    head: number,
    onFault: (error: unknown) => void,
  ) {
    this.#service = service;
    this.#tenantId = tenantId;
    this.#head = head;
    this.#heldAfter = head;
    this.#onFault = onFault;
    const listen = (onHint: () => void) => {
      const ends = [
        service.outbox.listenToEvents((written) => written === tenantId && onHint()),
        // Other servers on PostgreSQL announce the events of webhooks.
        service.store.database.hints.onHint((hint) => hint === "deliveries" && onHint()),
      ];
      return () => {
        for (const end of ends) end();
      };
    };
    this.#poller = startPoller(() => this.#look(), listen, { pollMs });
  }

  stop(): void {
    this.#poller.stop();
    this.#wake();
  }

  beyond(after: number): Promise<void> {
    if (this.#head > after) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.add(resolve));
  }

  async following(after: number): Promise<readonly LoggedEvent[]> {
    if (after >= this.#head) return [];
    if (after < this.#heldAfter) return cut(await this.#read(after));
    const start = this.#held.findIndex(({ id }) => id > after);
    return start < 0 ? [] : cut(this.#held.slice(start, start + readMax));
  }

  async #look(): Promise<void> {
    try {
      // Read before the log, so that the next check finds events written during this one.
      const revision = this.#service.store.database.revision(this.#tenantId);
      if (revision !== null && revision === this.#revision) return;
      for (;;) {
        const found = await this.#read(this.#head);
        this.#hold(found);
        if (found.length < readMax) break;
      }
      this.#revision = revision;
      this.#isFaulty = false;
    } catch (error) {
      // Reports a fault once, not with every look.
      if (!this.#isFaulty) this.#onFault(error);
      this.#isFaulty = true;
    }
  }

  #read(after: number): Promise<LoggedEvent[]> {
    const scope = { tenantId: this.#tenantId, rowScopes: wholeTenant };
    return this.#service.store.read(scope, ({ events }) => events.following(after, readMax));
  }

  #hold(found: readonly LoggedEvent[]): void {
    for (const event of found) {
      this.#held.push(event);
      this.#heldCharacters += event.data.length;
      this.#head = event.id;
    }
    while (this.#held.length > heldMax || this.#heldCharacters > heldCharactersMax) {
      const oldest = this.#held.shift();
      if (!oldest) break;
      this.#heldCharacters -= oldest.data.length;
      this.#heldAfter = oldest.id;
    }
    if (found.length > 0) this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Limits the memory that a slow reader takes. */
function cut(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  let characters = 0;
  const end = events.findIndex(({ data }) => {
    characters += data.length;
    return characters > givenCharactersMax;
  });
  return end < 0 ? events : events.slice(0, Math.max(1, end));
}
