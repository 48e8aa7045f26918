import { closeSync, constants, fstatSync, openSync, readlinkSync, statSync, write, writeSync } from "node:fs";
import { systemClock, type Timestamp } from "./clock.ts";

/** The most characters that wait. The writer drops and counts lines beyond it. */
const waitingMax = 1024 * 1024;

/** The longest wait for a slow reader at the end of the process. */
const flushMsMax = 250;

export interface Loss {
  lines: number;
  since: Timestamp;
  /** The write error; null when the reader is too slow. */
  error: unknown;
}

export interface LogWriter {
  /** Takes a text that ends in a line break. Returns at once and never throws. */
  write(text: string): void;
  lostLines(): number;
  /**
   * Opens the file again after a rename or removal (log rotation), and returns the new descriptor, else null. Lines
   * that the system is writing still go to the old file.
   */
  reopen(): number | null;
  /** Writes the waiting lines within a quarter of a second, for the end of the process. */
  flush(): void;
}

/** Writes some of the bytes and returns their number. */
export type WriteSome = (
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/**
 * Writes lines to a file descriptor. A full disk or a slow reader neither ends nor blocks the process: up to 1 MiB of
 * lines wait, the writer drops the others, and `toNotice` makes a line about them once writing works again.
 */
export function openLogWriter(fd: number, toNotice: (loss: Loss) => string): LogWriter {
  const queue = new LineQueue(openDevice(fd), toNotice);
  const path = pathOf(fd);
  let current = fd;
  const reopen = () => {
    const next = path === null ? null : openAnew(path, current);
    if (next === null) return null;
    const old = current;
    current = next;
    // Standard error stays open, because it also gets lines from outside the log.
    queue.use(openDevice(next), () => old !== fd && closeSync(old));
    return next;
  };
  return {
    write: (text) => queue.add(text),
    flush: () => queue.flush(),
    lostLines: () => queue.lost,
    reopen,
  };
}

/** The name of an open file, on Linux; null for anything else. */
function pathOf(fd: number): string | null {
  try {
    return fstatSync(fd).isFile() ? readlinkSync(`/proc/self/fd/${fd}`) : null;
  } catch {
    return null;
  }
}

/** Opens the file with this name; null for the file that is already open, and when the system refuses. */
function openAnew(path: string, current: number): number | null {
  try {
    const open = fstatSync(current);
    const named = statSync(path, { throwIfNoEntry: false });
    if (named?.ino === open.ino && named.dev === open.dev) return null;
    return openSync(path, "a", open.mode & 0o777);
  } catch {
    return null;
  }
}

export interface LogDevice {
  write: WriteSome;
  /** Returns the number of bytes. Throws the system's error. */
  writeNow(bytes: Buffer): number;
  /** The maximum number of characters in a batch. */
  batchMax: number;
}

/**
 * Writes a file on another thread, because a disk may be slow. Writes a nonblocking pipe at once, in pieces of at
 * most PIPE_BUF, which the system never mixes with the lines of other processes.
 */
function openDevice(fd: number): LogDevice {
  if (!isPipe(fd)) {
    return {
      write: (bytes, done) =>
        write(fd, bytes, 0, bytes.length, null, (error, written) => done(error, written)),
      writeNow: (bytes) => writeSync(fd, bytes),
      batchMax: 64 * 1024,
    };
  }
  const own = openWithoutBlocking(fd);
  const writeNow = (bytes: Buffer) => writeSync(own, bytes);
  return { write: (bytes, done) => writeAtOnce(writeNow, bytes, done), writeNow, batchMax: 4096 };
}

function writeAtOnce(writeNow: LogDevice["writeNow"], bytes: Buffer, done: Parameters<WriteSome>[1]): void {
  let written = 0;
  try {
    written = writeNow(bytes);
  } catch (error) {
    done(error as NodeJS.ErrnoException, 0);
    return;
  }
  done(null, written);
}

function isPipe(fd: number): boolean {
  try {
    const facts = fstatSync(fd);
    return facts.isFIFO() || facts.isSocket();
  } catch {
    return false;
  }
}

/**
 * All processes that inherited a pipe share its blocking mode, and each may change it. Linux opens a pipe a second
 * time by this name. Elsewhere, and for sockets, Node has made standard error nonblocking.
 */
function openWithoutBlocking(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

export class LineQueue {
  #device: LogDevice;
  /** Replaces the device before the next lines. */
  #next: { device: LogDevice; onUse: () => void } | null = null;
  readonly #toNotice: (loss: Loss) => string;
  lost = 0;
  #waiting: string[] = [];
  #waitingLength = 0;
  /** The rest of the lines in progress. */
  #current: Buffer | null = null;
  #isUnderWay = false;
  /** Another thread writes it, even while the process ends. */
  #isInFlight = false;
  #error: unknown = null;
  #loss: Loss | null = null;

  constructor(device: LogDevice, toNotice: (loss: Loss) => string) {
    this.#device = device;
    this.#toNotice = toNotice;
  }

  add(text: string): void {
    const isFull = this.#waitingLength + text.length > waitingMax;
    if (isFull && !this.#loss) this.#loss = { lines: 0, since: systemClock.now(), error: this.#error };
    // Until the notice of the loss is written, new lines are lost too, so that the lines around the gap stay in order.
    if (this.#loss) {
      this.#loss.lines += 1;
      this.lost += 1;
    } else this.#push(text);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    setImmediate(() => this.#step());
  }

  /** Switches the device with the next lines, and calls `onUse` when the old one is done. */
  use(device: LogDevice, onUse: () => void): void {
    const waiting = this.#next;
    this.#next = {
      device,
      onUse: () => {
        waiting?.onUse();
        onUse();
      },
    };
  }

  flush(): void {
    const untilMs = performance.now() + flushMsMax;
    if (this.#isInFlight) this.#current = null;
    for (let bytes = this.#take(); bytes; bytes = this.#take()) {
      try {
        this.#written(this.#device.writeNow(bytes));
      } catch (error) {
        if (!isBusy(error) || performance.now() > untilMs) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryBusyMs);
      }
    }
  }

  #push(text: string): void {
    this.#waiting.push(text);
    this.#waitingLength += text.length;
  }

  #step(): void {
    const bytes = this.#take();
    this.#isUnderWay = bytes !== null;
    this.#isInFlight = bytes !== null;
    if (bytes) this.#device.write(bytes, (error, written) => this.#settle(error, written));
  }

  #settle(error: NodeJS.ErrnoException | null, written: number): void {
    this.#isInFlight = false;
    if (error) {
      if (!isBusy(error)) this.#error = error;
      if (this.#loss && this.#error) this.#loss.error = this.#error;
      // Waiting lines do not keep the process alive.
      setTimeout(() => this.#step(), isBusy(error) ? retryBusyMs : retryBrokenMs).unref();
    } else {
      this.#error = null;
      this.#written(written);
      this.#step();
    }
  }

  #written(count: number): void {
    const rest = this.#current?.subarray(count);
    this.#current = rest && rest.length > 0 ? rest : null;
    if (!this.#loss || this.#waitingLength > waitingMax / 2) return;
    this.#push(this.#toNotice(this.#loss));
    this.#loss = null;
  }

  /** Whole lines, or the rest of one. */
  #take(): Buffer | null {
    if (this.#current || this.#waiting.length === 0) return this.#current;
    this.#next?.onUse();
    this.#device = this.#next?.device ?? this.#device;
    this.#next = null;
    let count = 0;
    let length = 0;
    for (const line of this.#waiting) {
      if (count > 0 && length + Buffer.byteLength(line) > this.#device.batchMax) break;
      count += 1;
      length += Buffer.byteLength(line);
    }
    const lines = this.#waiting.splice(0, count);
    this.#waitingLength -= lines.reduce((sum, line) => sum + line.length, 0);
    this.#current = Buffer.from(lines.join(""));
    return this.#current;
  }
}

const retryBusyMs = 10;
const retryBrokenMs = 1000;

/** Whether a pipe is full. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
