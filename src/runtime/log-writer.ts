import { closeSync, constants, fstatSync, openSync, readlinkSync, statSync, write, writeSync } from "node:fs";
import { systemClock, type Timestamp } from "./clock.ts";

/** What waits to be written at most, in characters; what comes beyond it is lost and counted. */
const waitingMax = 1024 * 1024;

/** How long the end of the process waits for a reader that is slow. */
const flushMsMax = 250;

/** Lines that were lost. */
export interface Loss {
  lines: number;
  since: Timestamp;
  /** Why writing did not go on; null when the reader is merely too slow. */
  error: unknown;
}

/** A destination of lines. */
export interface LogWriter {
  /** Takes a text that ends in a line break. Returns at once and never throws. */
  write(text: string): void;
  /** How many lines were lost so far. */
  lostLines(): number;
  /**
   * Opens a file with the old name if somebody renamed or removed the file, and gives its descriptor; else null. Lines that the
   * system is writing still go to the old file.
   */
  reopen(): number | null;
  /** Writes what waits, as far as that goes within a quarter of a second: for the end of the process. */
  flush(): void;
}

/** Writes bytes, or some of them, and tells how many. */
export type WriteSome = (
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/**
 * Writes lines to a file descriptor, whatever it is and whatever becomes of it: a full disk, a pipe that nobody reads or
 * reads slowly never ends the process nor holds it up. Lines wait meanwhile, 1 MiB at most; those beyond it are lost, and
 * one line tells of them, by `toNotice`, as soon as writing works again.
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
    // Standard error stays open: what is no line of the log still goes there.
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

/** The name of a file that is open, on Linux; null unless it is a file. */
function pathOf(fd: number): string | null {
  try {
    return fstatSync(fd).isFile() ? readlinkSync(`/proc/self/fd/${fd}`) : null;
  } catch {
    return null;
  }
}

/** Opens the file of that name unless it is the one that is open already; null also when the system does not let it. */
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

/** How a kind of file is written to. */
export interface LogDevice {
  write: WriteSome;
  /** Writes now; gives the number of bytes. Throws what the system says. */
  writeNow(bytes: Buffer): number;
  /** Lines up to so many characters are written together. */
  batchMax: number;
}

/**
 * A disk may take long, so a file is written to on another thread. A pipe that does not block is written to at once, and
 * by no more than what the system keeps in one piece (PIPE_BUF), because other processes may write lines to it too.
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
 * Whether a pipe blocks is a fact of what all who inherited it share, and any of them may change it. Linux opens a pipe
 * anew by this name; elsewhere, and for sockets, Node has made standard error one that does not block.
 */
function openWithoutBlocking(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

/** Lines on their way to a device. */
export class LineQueue {
  #device: LogDevice;
  /** What takes the place of the device before the next lines. */
  #next: { device: LogDevice; onUse: () => void } | null = null;
  readonly #toNotice: (loss: Loss) => string;
  /** How many lines were lost so far. */
  lost = 0;
  #waiting: string[] = [];
  #waitingLength = 0;
  /** What of the lines taken last is still to be written. */
  #current: Buffer | null = null;
  #isUnderWay = false;
  /** It is in the hands of another thread, which goes on while the process ends. */
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
    // Until the loss is told, what comes is part of it: the lines before and after the gap stay in order.
    if (this.#loss) {
      this.#loss.lines += 1;
      this.lost += 1;
    } else this.#push(text);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    setImmediate(() => this.#step());
  }

  /** Writes to another device from the next lines on, and calls `onUse` when nothing more goes to the one before. */
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
      // What waits holds nobody who wants to end.
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

  /** What is to be written next: whole lines, or the rest of some. */
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
