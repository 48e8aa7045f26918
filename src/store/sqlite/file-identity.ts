import { statSync } from "node:fs";
import { type DispatchError, failure } from "../../errors/errors.ts";

/**
 * Whether the names of a store still lead to the files that this process has open. SQLite goes on with files that were
 * deleted or replaced, and what it writes to them is lost (OP-186).
 */
export class FileIdentity {
  readonly #files: readonly KnownFile[];
  readonly #onLook: (lost: DispatchError | null) => void;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #lost: DispatchError | null = null;

  /**
   * Notes which files `file` and what SQLite keeps beside it are; make it when SQLite has all of them open. With null
   * there is nothing to lose. `onLook` is told what each look found.
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

  /** Throws store_unavailable when the files were lost, as far as is known. Looks at most once a second. */
  require(): void {
    if (this.lost) throw this.lost;
  }

  /** The same, but looks now at what holds committed changes: 3 µs a file. */
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
  /** The device and the inode. */
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

/** null when there is none. */
function identify(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.dev} ${found.ino}` : null;
  } catch {
    return unknown;
  }
}

/** The place cannot be looked at: its folder was closed to this process, or is none any more. */
const unknown = "unknown";

function toLoss({ noun, path }: KnownFile): DispatchError {
  const now = identify(path);
  const replaced = now === unknown ? "put out of reach" : "replaced by another";
  const detail = `${noun} was ${now === null ? "deleted" : replaced} while it was in use, so nothing is read or written any more. What serves the store must be started anew.`;
  return failure("store_unavailable", detail);
}
