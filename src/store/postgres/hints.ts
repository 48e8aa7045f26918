import { setTimeout } from "node:timers/promises";
import { LocalHints, type StoreHint, type StoreHints } from "../api.ts";
import type { HintConnection } from "./hint-connection.ts";
import type { PostgresPool } from "./pool.ts";
import { channelName, relaxedCommit } from "./session-settings.ts";

/** Commits within this time share a hint, which is a transaction of its own. */
const pauseMs = 50;
const closeMsMax = 1000;

const numbers: Readonly<Record<StoreHint, number>> = { deliveries: 1, shared: 2, workers: 4 };
const kinds = Object.keys(numbers) as StoreHint[];
const allKinds = 7;

/** Sends NOTIFY outside of writing transactions, because NOTIFY serializes all commits that use it. */
export class PostgresHints implements StoreHints {
  readonly #local = new LocalHints();
  readonly #open: () => Promise<PostgresPool>;
  #connection: HintConnection | null = null;
  #isClosed = false;
  #unsent = 0;
  #sending: Promise<void> | undefined;
  #notified: Promise<void> = Promise.resolve();

  constructor(open: () => Promise<PostgresPool>) {
    this.#open = open;
  }

  give(hint: StoreHint): void {
    this.#local.give(hint);
    if (this.#isClosed) return;
    this.#unsent |= numbers[hint];
    this.#sending ??= this.#sendAll();
  }

  onHint(listener: (hint: StoreHint) => void): () => void {
    return this.#local.onHint(listener);
  }

  listen(): void {
    if (this.#connection === null && !this.#isClosed) void this.#startListening().catch(() => undefined);
  }

  isListening(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  /** Sends the remaining hints unless that takes too long. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const sent = this.#notified.then(() => this.#send());
    const patience = new AbortController();
    await Promise.race([sent, setTimeout(closeMsMax, undefined, patience).catch(() => undefined)]);
    patience.abort();
    await this.#connection?.close();
  }

  /** A pooler in transaction mode would lend the listening session to others. */
  async #startListening(): Promise<void> {
    const pool = await this.#open();
    const { HintConnection } = await import("./hint-connection.ts");
    if ((await pool.findMode()) !== "session" || this.#isClosed) return;
    this.#connection ??= new HintConnection(pool.address, (payload) => this.#take(payload));
  }

  /** null means that notifications may be lost. An unknown payload counts as every hint. */
  #take(payload: string | null): void {
    const number = payload !== null && /^[1-7]$/.test(payload) ? Number(payload) : allKinds;
    for (const kind of kinds) if ((number & numbers[kind]) !== 0) this.#local.give(kind);
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent !== 0 && !this.#isClosed) {
      this.#notified = this.#send();
      await this.#notified;
      await setTimeout(pauseMs, undefined, { ref: false });
    }
    this.#sending = undefined;
  }

  /** A lost hint is harmless: other processes poll. */
  async #send(): Promise<void> {
    const payload = this.#unsent;
    this.#unsent = 0;
    if (payload === 0) return;
    const statement = `select pg_notify(${channelName}, '${payload}')`;
    await this.#run(statement).catch(() => undefined);
  }

  async #run(statement: string): Promise<void> {
    if (this.#connection?.isOpen)
      return this.#connection.run(`begin; ${relaxedCommit}; ${statement}; commit`);
    const connection = await (await this.#open()).acquire();
    try {
      await connection.begin("begin", `${relaxedCommit}; ${statement}`);
      await connection.commit();
    } catch (error) {
      await connection.rollBack();
      throw error;
    } finally {
      connection.release();
    }
  }
}
