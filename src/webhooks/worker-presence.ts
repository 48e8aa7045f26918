import { type Chore, startChore } from "../runtime/chore.ts";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { ListedWorker } from "../store/queries/delivery-workers.ts";
import { leaseMs } from "./claimer.ts";
import type { DeliveryService } from "./delivery-service.ts";
import { Rest } from "./poller.ts";
import { retryMsMax } from "./retry.ts";

const lookMs = 1000;
/** Checks without a sign of life before a worker tests a write: its own store may be blocked. */
const suspectAfter = 4;
/** Checks until a worker counts as dead: 7 to 9 s. A process may hang for 5 s. */
const deadAfter = 7;
const strandedEvery = 10;

interface PresenceOptions {
  isIdle(): boolean;
  /** Called when a dead worker's deliveries became due. */
  onRescued(): void;
  onFault(error: unknown): void;
  isWatching: boolean;
  /** Default: a second. */
  lookMs?: number | undefined;
}

const noTenant = { tenantId: 0, rowScopes: wholeTenant };

/** Raises a counter once a second, and ends the leases of workers whose counters stay the same. */
export class WorkerPresence {
  readonly #service: DeliveryService;
  readonly #options: PresenceOptions;
  readonly #id: string;
  readonly #chore: Chore;
  readonly #rest: Rest;
  readonly #others = new Map<string, { beats: number; looks: number }>();
  #beats = 0;
  #claims = 0;
  #ticks = 0;
  #strandedAtTick = 0;
  #isListed = false;
  #seenReachingMs = Number.NEGATIVE_INFINITY;
  /** Orders the writes of this worker's row. */
  #written: Promise<unknown> = Promise.resolve();

  constructor(service: DeliveryService, options: PresenceOptions) {
    this.#service = service;
    this.#options = options;
    this.#rest = new Rest(service.store.database.hints);
    this.#id = service.makeUuid();
    const { lookMs: everyMs = lookMs, onFault } = options;
    this.#chore = startChore(() => this.#look(), { firstAfterMs: 0, everyMs, onFault });
  }

  /** Lists the worker as holding deliveries, and returns a name for its next claim. */
  async nameClaim(): Promise<string> {
    if (!this.#isListed) await this.#inTurn(() => this.#enter());
    this.#claims += 1;
    return `${this.#id}.${this.#claims}`;
  }

  /** `ms` is a time of `performance.now`. */
  sawReachingSince(ms: number): boolean {
    return this.#seenReachingMs >= ms;
  }

  /** The worker must hold no delivery. */
  async stop(): Promise<void> {
    await this.#chore.stop();
    this.#rest.stop();
    if (this.#isListed) await this.#leave().catch(this.#options.onFault);
  }

  get #rows() {
    return this.#service.store.direct(noTenant).deliveryWorkers;
  }

  async #look(): Promise<void> {
    if (this.#isListed) await (this.#options.isIdle() ? this.#leave() : this.#inTurn(() => this.#beat()));
    if (!this.#options.isWatching) return;
    this.#ticks += 1;
    if (!this.#rest.isOver) return;
    if (this.#ticks > this.#strandedAtTick) {
      this.#strandedAtTick = this.#ticks + strandedEvery - 1;
      if (await endStranded(this.#service)) this.#options.onRescued();
    }
    const others = (await this.#rows.all()).filter(({ id }) => id !== this.#id);
    for (const id of this.#others.keys())
      if (!others.some((other) => other.id === id)) this.#others.delete(id);
    for (const other of others) await this.#watch(other);
    // A worker that starts to hold deliveries sends a hint.
    if (others.length === 0) this.#rest.begin();
  }

  async #watch(other: ListedWorker): Promise<void> {
    const known = this.#others.get(other.id);
    if (known?.beats !== other.beats) {
      this.#others.set(other.id, { beats: other.beats, looks: 0 });
      if (other.reachesPrivate) this.#seenReachingMs = performance.now();
      return;
    }
    known.looks += 1;
    if (known.looks < suspectAfter) return;
    if (!(await this.#rows.confirm(other))) known.looks = 0;
    else if (known.looks >= deadAfter) await this.#bury(other);
  }

  async #bury({ id, beats }: ListedWorker): Promise<void> {
    const { clock, store } = this.#service;
    await clock.refresh();
    await store.writeRelaxed(noTenant, async ({ backlog, deliveryWorkers }) => {
      if (await deliveryWorkers.remove(id, beats)) await backlog.endLeasesOf(id, clock.now());
    });
    this.#others.delete(id);
    this.#options.onRescued();
  }

  async #enter(): Promise<void> {
    if (this.#isListed) return;
    await this.#beat();
    this.#isListed = true;
    this.#service.store.database.hints.give("workers");
  }

  async #beat(): Promise<void> {
    this.#beats += 1;
    const reachesPrivate = this.#service.policy.allowsPrivateHooks;
    await this.#rows.beat({ id: this.#id, beats: this.#beats, reachesPrivate });
  }

  #leave(): Promise<unknown> {
    // Before the write, so that a claim that starts now lists the worker again.
    this.#isListed = false;
    return this.#inTurn(() => this.#rows.remove(this.#id));
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const written = this.#written.then(write, write);
    this.#written = written.catch(() => undefined);
    return written;
  }
}

/** The clocks of a store's machines differ by less. */
const skewMsMax = 60_000;

/** Makes deliveries due that a wrong clock leased or planned too far ahead. Returns whether there were any. */
export async function endStranded({ clock, store }: DeliveryService): Promise<boolean> {
  await clock.refresh();
  const now = clock.now();
  const plannedAhead = (ms: number) => toTimestamp(toEpochMs(now) + ms + skewMsMax);
  const latest = { leaseEnd: plannedAhead(leaseMs), retry: plannedAhead(retryMsMax) };
  // The list is usually empty, and a write would cost a commit.
  const ids = await store.backlog.stranded(latest);
  if (ids.length === 0) return false;
  await store.writeRelaxed({ tenantId: 0, rowScopes: wholeTenant }, ({ backlog }) =>
    backlog.endStranded(ids, latest, now),
  );
  return true;
}
