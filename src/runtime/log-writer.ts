import { closeSync, constants, fstatSync, openSync, readlinkSync, statSync, write, writeSync } from "node:fs";
import { systemClock, type Timestamp } from "./clock.ts";

/** In characters. The writer drops and counts lines beyond. */
const waitingMax = 1024 * 1024;

/** The longest wait for a slow reader at the end of the process. */
const flushMsMax = 250;

export interface Loss {
  lines: number;
  since: Timestamp;
  /** null if the reader is too slow. */
  error: unknown;
}

export interface LogWriter {
  /** The text ends in a line break. Returns at once and never throws. */
  write(text: string): void;
  lostLines(): number;
  /** Reopens the file after a log rotation and returns the new descriptor, else null. */
  reopen(): number | null;
  /** Writes waiting lines for up to a quarter of a second, at the end of the process. */
  flush(): void;
}

export type WriteSome = (
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/** A full disk or slow reader does not block: up to 1 MiB waits, then lines are dropped and counted. */
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

/** On Linux; null elsewhere. */
function pathOf(fd: number): string | null {
  try {
    return fstatSync(fd).isFile() ? readlinkSync(`/proc/self/fd/${fd}`) : null;
  } catch {
    return null;
  }
}

/** null if the file is already open, or if the system refuses. */
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
  writeNow(bytes: Buffer): number;
  batchMax: number;
}

/** A thread writes a file, because disks may be slow. A pipe gets pieces of PIPE_BUF, which do not mix. */
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

/** Processes that inherit a pipe share its blocking mode, so open the pipe again by name (Linux). */
function openWithoutBlocking(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

export class LineQueue {
  #device: LogDevice;
  #next: { device: LogDevice; onUse: () => void } | null = null;
  readonly #toNotice: (loss: Loss) => string;
  lost = 0;
  #waiting: string[] = [];
  #waitingLength = 0;
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
    // Until the notice of the loss is written, new lines are lost too, which keeps the order.
    if (this.#loss) {
      this.#loss.lines += 1;
      this.lost += 1;
    } else this.#push(text);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    setImmediate(() => this.#step());
  }

  /** Calls `onUse` when the old device is done. */
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
