import type { Service } from "../../core/service.ts";
import { wholeTenant } from "../../store/access/row-scopes.ts";
import type { LoggedEvent } from "../../store/queries/events.ts";
import { type Poller, startPoller } from "../../webhooks/poller.ts";

/** How often the log is looked at for what other processes write; what this one writes is looked for at once. */
const pollMs = 500;

/** How many events are read at once, and how many characters of them are given at once. */
const readMax = 100;
const givenCharactersMax = 256 * 1024;

/** What is kept of the end of the log, for streams to read it from memory. */
const heldMax = 500;
const heldCharactersMax = 4 * 1024 * 1024;

/**
 * The events of a tenant as they are written, for all its streams: one reader of the log, and the end of it in memory. Who
 * is further behind reads the log itself.
 */
export class EventFeed {
  readonly #service: Pick<Service, "outbox" | "store">;
  readonly #tenantId: number;
  readonly #poller: Poller;
  readonly #waiting = new Set<() => void>();
  readonly #onFault: (error: unknown) => void;
  /** The last events, without a gap. */
  #held: LoggedEvent[] = [];
  #heldCharacters = 0;
  /** The number before the first of those. */
  #heldAfter: number;
  #head: number;
  #revision: number | null = null;
  #isFaulty = false;

  /** Begins behind the event that has the number `head`. */
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
        // Other servers of a PostgreSQL tell of events that webhooks are told of.
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

  /** Resolves when there is an event behind a number, or when the feed stops. */
  beyond(after: number): Promise<void> {
    if (this.#head > after) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.add(resolve));
  }

  /** The next events behind a number; none where there are none. */
  async following(after: number): Promise<readonly LoggedEvent[]> {
    if (after >= this.#head) return [];
    if (after < this.#heldAfter) return cut(await this.#read(after));
    const start = this.#held.findIndex(({ id }) => id > after);
    return start < 0 ? [] : cut(this.#held.slice(start, start + readMax));
  }

  async #look(): Promise<void> {
    try {
      // Before the log is read: what is written meanwhile is found by the next look.
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
      // Once, and not with every look.
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

/** The first events, so many that they are not too much to keep for who reads slowly. */
function cut(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  let characters = 0;
  const end = events.findIndex(({ data }) => {
    characters += data.length;
    return characters > givenCharactersMax;
  });
  return end < 0 ? events : events.slice(0, Math.max(1, end));
}
