import { createHash } from "node:crypto";

/**
 * Decides which statements connections keep prepared: those that come a second time, up to a number, because each takes
 * memory on every connection. Statements with long lists of values seldom come again.
 */
export class StatementNames {
  readonly #names = new Map<string, string | null>();

  /** The name to prepare a statement under; undefined for one that is not kept. */
  nameOf(sql: string, parameterCount: number): string | undefined {
    if (parameterCount > 50) return undefined;
    const known = this.#names.get(sql);
    if (known) return known;
    if (this.#names.size >= 500 && known === undefined) return undefined;
    const name = known === null ? createHash("sha256").update(sql).digest("hex").slice(0, 32) : null;
    this.#names.set(sql, name);
    return name ?? undefined;
  }
}
