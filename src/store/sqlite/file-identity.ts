import { statSync } from "node:fs";
import { type DispatchError, failure } from "../../errors/errors.ts";

/** SQLite continues with a deleted or replaced file, and the writes are lost. */
export class FileIdentity {
  readonly #files: readonly KnownFile[];
  readonly #onLook: (lost: DispatchError | null) => void;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #lost: DispatchError | null = null;

  /** Create it when SQLite has all files open. null means that nothing can be lost. `onLook` gets each result. */
  constructor(file: string | null, onLook: (lost: DispatchError | null) => void = () => undefined) {
    this.#onLook = onLook;
    this.#files = file === null ? [] : toKnownFiles(file);
  }

  /** Looks at most once a second. */
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

  /** Looks now, at the files that hold committed changes: 3 µs each. */
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
