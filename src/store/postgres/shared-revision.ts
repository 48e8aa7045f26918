/** How long a change that another server made may stay unnoticed (OP-167). */
const unnoticedMsMax = 1000;

/**
 * Tells when what tenants share may have changed. It is another number after each change that this process makes, and in
 * each second, because others may have changed something since. So whoever keeps an answer while the number stays the same
 * asks the database once a second and not once a request.
 */
export class SharedRevision {
  readonly #onRaise: () => void;
  #revision = 0;
  #endsAtMs = 0;

  /** `onRaise` is told that this process has written something. */
  constructor(onRaise: () => void = () => undefined) {
    this.#onRaise = onRaise;
  }

  current(): number {
    const nowMs = performance.now();
    if (nowMs >= this.#endsAtMs) {
      this.#revision += 1;
      this.#endsAtMs = nowMs + unnoticedMsMax;
    }
    return this.#revision;
  }

  /** Notes that this process has written something, which counts from now on. */
  raise(): void {
    this.#revision += 1;
    this.#onRaise();
  }

  /** Notes that another process has. */
  noteOthers(): void {
    this.#revision += 1;
  }
}

/** Whether a statement that changes rows changes those of tables that tenants share. */
export function changesShared(statement: string): boolean {
  return /"(?:haulers|meta|tenants|tokens|users)"/.test(statement);
}
