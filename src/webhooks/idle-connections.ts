import type { Connection } from "./connection.ts";

const idleMax = 64;

/** Keeps connections for the next request to their origin, each until it closes. */
export class IdleConnections {
  readonly #byOrigin = new Map<string, Set<Connection>>();
  #count = 0;
  #isClosed = false;

  /** Takes out a connection that is up; from now on it is the caller's alone. */
  take(origin: string): Connection | undefined {
    const [connection] = this.#byOrigin.get(origin) ?? [];
    if (!connection) return undefined;
    this.#remove(connection);
    return connection;
  }

  /** Keeps a connection that has no request under way; closes it when enough are kept. */
  keep(connection: Connection): void {
    if (this.#isClosed || this.#count >= idleMax || !connection.isOpen) {
      void connection.destroy("closed");
      return;
    }
    const others = this.#byOrigin.get(connection.origin) ?? new Set();
    this.#byOrigin.set(connection.origin, others.add(connection));
    this.#count += 1;
    connection.whenClosed = () => this.#remove(connection);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#byOrigin.values()].flatMap((connections) => [...connections]);
    await Promise.all(all.map((connection) => connection.destroy("closed")));
  }

  #remove(connection: Connection): void {
    const connections = this.#byOrigin.get(connection.origin);
    if (!connections?.delete(connection)) return;
    this.#count -= 1;
    if (connections.size === 0) this.#byOrigin.delete(connection.origin);
  }
}
