/** Those who wait, by tenant. Among equals tenants take turns. */
export class TenantTurns<Waiting extends { tenantId: number }> {
  /** Whose turn was last stands last. */
  readonly #waiting = new Map<number, Waiting[]>();

  push(item: Waiting): void {
    const own = this.#waiting.get(item.tenantId);
    if (own) own.push(item);
    else this.#waiting.set(item.tenantId, [item]);
  }

  has(tenantId: number): boolean {
    return this.#waiting.has(tenantId);
  }

  /** Everybody who waits. */
  all(): Waiting[] {
    return [...this.#waiting.values()].flat();
  }

  /** Who has waited for the longest of the tenant that has had the least. */
  findNext(hadBy: (tenantId: number) => number): Waiting | undefined {
    let next: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const tenantId of this.#waiting.keys()) {
      const had = hadBy(tenantId);
      if (had >= least) continue;
      least = had;
      next = tenantId;
    }
    return next === undefined ? undefined : this.#waiting.get(next)?.[0];
  }

  /** Takes out the first of a tenant. */
  shift(tenantId: number): Waiting | undefined {
    const own = this.#waiting.get(tenantId) ?? [];
    const first = own.shift();
    this.#waiting.delete(tenantId);
    if (own.length > 0) this.#waiting.set(tenantId, own);
    return first;
  }
}
