import { statSync } from "node:fs";
import { type DispatchError, failure } from "../../errors/errors.ts";

/**
 * Whether the names of a store still lead to the files that this process has open. SQLite continues with deleted or
 * replaced files, and its writes to them are lost.
 */
export class FileIdentity {
  readonly #files: readonly KnownFile[];
  readonly #onLook: (lost: DispatchError | null) => void;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #lost: DispatchError | null = null;

  /**
   * Remembers `file` and SQLite's files beside it; create it when SQLite has all of them open. With null nothing can be
   * lost. `onLook` receives the result of each look.
   */
  constructor(file: string | null, onLook: (lost: DispatchError | null) => void = () => undefined) {
    this.#onLook = onLook;
    this.#files = file === null ? [] : toKnownFiles(file);
  }

  /** Why the files are no longer the store's; null while they are. Looks at most once a second. */
  get lost(): DispatchError | null {
    const now = performance.now();
    if (now - this.#checkedAt >= everyMs) {
      this.#checkedAt = now;
      this.#look(this.#files);
    }
    return this.#lost;
  }

  /** Throws store_unavailable if the files were lost. Looks at most once a second. */
  require(): void {
    if (this.lost) throw this.lost;
  }

  /** The same, but looks now at the files that hold committed changes: 3 µs each. */
  requireNow(): void {
    this.#look(this.#files.filter(({ noun }) => noun !== index));
    if (this.#lost) throw this.#lost;
  }

  #look(files: readonly KnownFile[]): void {
    const changed = files.find(({ id, path }) => identify(path) !== id);
    this.#lost = changed ? toLoss(changed) : null;
    this.#onLook(this.#lost);
  }
}

const everyMs = 1000;

interface KnownFile {
  path: string;
  id: string;
  noun: string;
}

const index = "The index of the store's log";

const ends = [
  { end: "", noun: "The file of the store" },
  { end: "-wal", noun: "The log of the store" },
  { end: "-shm", noun: index },
];

function toKnownFiles(file: string): KnownFile[] {
  return ends.flatMap(({ end, noun }) => {
    const id = identify(file + end);
    return id === null ? [] : [{ id, noun, path: file + end }];
  });
}

function identify(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.dev} ${found.ino}` : null;
  } catch {
    return unknown;
  }
}

const unknown = "unknown";

function toLoss({ noun, path }: KnownFile): DispatchError {
  const now = identify(path);
  const replaced = now === unknown ? "put out of reach" : "replaced by another";
  const detail = `${noun} was ${now === null ? "deleted" : replaced} while it was in use, so this program no longer reads or writes it. Restart the program that serves the store.`;
  return failure("store_unavailable", detail);
}
