import pg from "pg";
import type { PostgresAddress } from "./address.ts";
import { toPoolConfig } from "./connection-config.ts";
import { channelName } from "./session-settings.ts";

const firstPauseMs = 500;
const pauseMsMax = 30_000;
/** Reconnects after this time, as the pool does: the server's name may lead to another server. */
const lifetimeMs = 1_800_000;

/** `onPayload` gets others' notifications, and null after a reconnect, because some may be lost. */
export class HintConnection {
  readonly #address: PostgresAddress;
  readonly #onPayload: (payload: string | null) => void;
  #client: pg.Client | null = null;
  #isOpen = false;
  #isClosed = false;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #connecting: Promise<void>;

  constructor(address: PostgresAddress, onPayload: (payload: string | null) => void) {
    this.#address = address;
    this.#onPayload = onPayload;
    this.#connecting = this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async run(statements: string): Promise<void> {
    await this.#client?.query(statements);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const applicationName = `${this.#address.applicationName} (listens)`;
    const client = new pg.Client(toPoolConfig({ ...this.#address, applicationName }, false));
    // Without a listener, a broken connection would end the process. "end" below handles it.
    client.on("error", () => undefined);
    client.once("end", () => this.#noteEnd(client));
    this.#client = client;
    try {
      await client.connect();
      const { rows } = await client.query<{ channel: string; pid: number }>(
        `select pg_backend_pid() as pid, ${channelName} as channel`,
      );
      const [own] = rows;
      if (!own) throw new Error("The schema is gone.");
      client.on("notification", ({ payload, processId }) => {
        if (processId !== own.pid) this.#onPayload(payload ?? null);
      });
      await client.query(`listen ${own.channel}`);
    } catch {
      this.#client = null;
      client.end().catch(() => undefined);
      this.#connectLater();
      return;
    }
    if (this.#isClosed) return;
    this.#isOpen = true;
    this.#pauseMs = firstPauseMs;
    this.#timer = setTimeout(() => void client.end().catch(() => undefined), lifetimeMs).unref();
    this.#onPayload(null);
  }

  #noteEnd(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#connectLater();
  }

  #connectLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#connecting = this.#connect();
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
  }
}
