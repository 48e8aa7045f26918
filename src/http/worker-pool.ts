import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  EndingWord,
  Served,
  SupervisedWorker,
  Supervisor,
  WorkersOptions,
} from "../core/server-factory.ts";
import { ForkedWorker } from "./forked-worker.ts";
import { makeRoomForSocket } from "./listener.ts";
import type { OwnProcess } from "./metrics/process-figures.ts";
import { type SupervisedMetrics, superviseMetrics } from "./metrics-server/supervise-metrics.ts";
import { createTrailSwitch } from "./recording/peer-trails.ts";

/**
 * Starts processes with this process's own command line, each of which finds itself supervised, and keeps as many
 * running: one that ends is started again after a pause that grows, and nothing that happens to one ends another. Only when
 * the first never comes to serve, `ready` rejects. `own` tells of this process, for the figures of all.
 */
export function startWorkers(options: WorkersOptions, own: OwnProcess): Supervisor {
  const metrics = superviseMetrics(options, own);
  const pool = new WorkerPool(options, metrics);
  return {
    ready: metrics.use(options).then(() => pool.start()),
    replace: (changed) => pool.replace(changed),
    stop: async () => {
      await pool.stop();
      await metrics.close();
    },
  };
}

/** Where one process serves after the other. */
interface ProcessPlace {
  worker: ForkedWorker;
  /** Aborted when nobody takes the place any more. */
  left: AbortController;
}

class WorkerPool {
  #options: WorkersOptions;
  #places: ProcessPlace[] = [];
  readonly #live = new Set<ForkedWorker>();
  /** The first of those that are to take the places of others, until it accepts requests. */
  #candidate: ForkedWorker | undefined;
  #replacing: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();
  readonly #metrics: SupervisedMetrics;
  readonly #trails = createTrailSwitch();

  constructor(options: WorkersOptions, metrics: SupervisedMetrics) {
    this.#options = options;
    this.#metrics = metrics;
  }

  /** Resolves when processes accept requests. Throws WorkersFailed when the first ends before. */
  async start(): Promise<Served> {
    await makeRoom(this.#options);
    await nameFreePort(this.#options);
    // The first process starts alone, so that a fault of the address or the store is told once.
    const { served, worker } = await this.#startFirst(this.#options);
    this.#keep(worker);
    const others = Array.from({ length: this.#options.count - 1 }, () => this.#keep(this.#fork()));
    await Promise.all(others.map(isReadyOrEnded));
    return served;
  }

  /**
   * Starts processes anew, one by one, each in the place of one that serves, which ends when its successor accepts requests.
   * Throws WorkersFailed when the first of them comes not so far: then all is as it was. One that was still to come when
   * this is called again is given up for the newer.
   */
  replace(options: WorkersOptions): Promise<Served> {
    void this.#candidate?.end("stop", 0);
    const replaced = this.#replacing.catch(() => undefined).then(() => this.#replaceAll(options));
    this.#replacing = replaced;
    return replaced;
  }

  async #replaceAll(options: WorkersOptions): Promise<Served> {
    const { killAfterMs, socketPath } = this.#options;
    if (options.socketPath !== socketPath) await makeRoom(options);
    const { served, worker } = await this.#startFirst(options);
    await this.#metrics.use(options).catch(async (error: unknown) => {
      await worker.end("stop", options.killAfterMs);
      throw error;
    });
    this.#options = options;
    const old = this.#places;
    this.#places = [];
    this.#keep(worker);
    leave(old.shift(), killAfterMs);
    for (let started = 1; started < options.count && !this.#stopping.signal.aborted; started += 1) {
      await isReadyOrEnded(this.#keep(this.#fork()));
      leave(old.shift(), killAfterMs);
    }
    for (const place of old) leave(place, killAfterMs);
    return served;
  }

  async #startFirst(options: WorkersOptions): Promise<{ served: Served; worker: ForkedWorker }> {
    const worker = this.#fork(options);
    this.#candidate = worker;
    try {
      return { served: await worker.ready, worker };
    } finally {
      this.#candidate = undefined;
    }
  }

  #fork({ variables } = this.#options): ForkedWorker {
    const attach = (forked: Worker) => {
      this.#metrics.figures.attach(forked);
      this.#trails.attach(forked);
    };
    const worker = new ForkedWorker(attach, variables?.());
    this.#live.add(worker);
    void worker.ended.then(() => this.#live.delete(worker));
    if (this.#stopping.signal.aborted) void worker.end("stop", 0);
    return worker;
  }

  #keep(worker: ForkedWorker): ForkedWorker {
    const place = { worker, left: new AbortController() };
    this.#places.push(place);
    void this.#hold(place);
    return worker;
  }

  /** Starts another process each time that one ends there. */
  async #hold(place: ProcessPlace): Promise<void> {
    const signal = AbortSignal.any([place.left.signal, this.#stopping.signal]);
    const pause = createRestartPause();
    for (;;) {
      const { servedMs, why } = await place.worker.ended;
      if (signal.aborted) return;
      const pauseMs = pause(servedMs, this.#live.size === 0);
      const seconds = (pauseMs / 1000).toFixed(1);
      this.#options.tell(`a server process ended (${why}); another takes its place in ${seconds} s`);
      await sleep(pauseMs, null, { signal }).catch(() => null);
      if (signal.aborted) return;
      this.#metrics.figures.noteRestart();
      place.worker = this.#fork();
    }
  }

  /** Ends all processes together; those that are still there at the end of their time are killed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#live].map((worker) => worker.end("stop", this.#options.killAfterMs)));
  }
}

/** The processes listen at a socket that this one holds: it alone knows whether it is its own. */
async function makeRoom({ socketPath }: WorkersOptions): Promise<void> {
  if (socketPath !== undefined) await makeRoomForSocket(socketPath);
}

/**
 * The system chooses a port when a process listens at port 0, and frees it when the last process at that port dies. So this
 * process has the system choose before, and names the port to every process that it starts: clients find the next ones there.
 */
async function nameFreePort({ host, port, socketPath }: WorkersOptions): Promise<void> {
  if (port !== 0 || socketPath !== undefined) return;
  const server = createServer().listen({ host, port });
  // The first process that cannot listen there says why.
  const isFound = await once(server, "listening").catch(() => null);
  if (!isFound) return;
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  cluster.setupPrimary();
  cluster.setupPrimary({ args: [...(cluster.settings.args ?? []), "--port", String(free)] });
}

const isReadyOrEnded = ({ ready }: ForkedWorker): Promise<unknown> => ready.catch(() => null);

function leave(place: ProcessPlace | undefined, killAfterMs: number): void {
  place?.left.abort();
  void place?.worker.end("retire", killAfterMs);
}

/** This process's link to the supervisor that started it; null when none did. */
export function findSupervisor(own: NodeJS.Process): SupervisedWorker | null {
  const { worker } = cluster;
  if (!worker) return null;
  // What a terminal sends reaches all processes of it; the supervisor alone acts on that.
  for (const signal of ["SIGINT", "SIGHUP"] as const) own.on(signal, () => undefined);
  return {
    ready: (served) => void worker.send(served),
    onEnd: (listener) => {
      worker.on("message", (word: EndingWord) => {
        if (word === "stop" || word === "retire") listener(word);
      });
      worker.once("disconnect", () => listener("stop"));
      own.once("SIGTERM", () => listener("stop"));
    },
    leave: () => {
      if (worker.isConnected()) worker.disconnect();
    },
  };
}

const pauseMsMin = 100;
const pauseMsMax = 30_000;

/** While no process is left that could serve, nobody waits longer than this for the next one. */
const loneMsMax = 2_000;

/** A process that served for so long failed by something new. */
const servedMsEnough = 60_000;

/** A process that served is missed no longer than this part of that time, so that most of its place's time is served. */
const missedPart = 1 / 4;

/**
 * Gives how long to wait before a process that ended is started again, by how long it served: from 0.1 s on twice as long
 * each time, up to 30 s, and 0.1 s again after it served for a minute. A random part of up to half is taken off, so that
 * processes that ended together do not start together. It is never longer than a quarter of the time that the process
 * served, if it did, and two seconds at most when the one that ended was the last (OP-361).
 */
export function createRestartPause(random: () => number = Math.random): RestartPause {
  let nextMs = pauseMsMin;
  return (servedMs, wasLast) => {
    if (servedMs >= servedMsEnough) nextMs = pauseMsMin;
    const mostMs = servedMs === 0 ? pauseMsMax : Math.max(pauseMsMin, servedMs * missedPart);
    const pauseMs = Math.min(nextMs, mostMs, wasLast ? loneMsMax : pauseMsMax) * (1 - random() / 2);
    nextMs = Math.min(nextMs * 2, pauseMsMax);
    return pauseMs;
  };
}

/** How long to wait before a process that served for so long is started again; `wasLast`: none is left beside it. */
type RestartPause = (servedMs: number, wasLast: boolean) => number;
