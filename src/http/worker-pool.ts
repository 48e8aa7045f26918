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

/** Restarts ended processes with growing delays. `ready` rejects only if the first process never serves. */
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

interface ProcessPlace {
  worker: ForkedWorker;
  left: AbortController;
}

class WorkerPool {
  #options: WorkersOptions;
  #places: ProcessPlace[] = [];
  readonly #live = new Set<ForkedWorker>();
  /** The first replacement, until it accepts requests. */
  #candidate: ForkedWorker | undefined;
  #replacing: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();
  readonly #metrics: SupervisedMetrics;
  readonly #trails = createTrailSwitch();

  constructor(options: WorkersOptions, metrics: SupervisedMetrics) {
    this.#options = options;
    this.#metrics = metrics;
  }

  /** Resolves when all processes accept requests. Throws WorkersFailed if the first one ends. */
  async start(): Promise<Served> {
    await makeRoom(this.#options);
    await nameFreePort(this.#options);
    // The first process starts alone, so that a bad address or store is reported once.
    const { served, worker } = await this.#startFirst(this.#options);
    this.#keep(worker);
    const others = Array.from({ length: this.#options.count - 1 }, () => this.#keep(this.#fork()));
    await Promise.all(others.map(isReadyOrEnded));
    return served;
  }

  /**
   * If the first successor fails, throws WorkersFailed and keeps the old processes. A later call supersedes this one.
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

  async #hold(place: ProcessPlace): Promise<void> {
    const signal = AbortSignal.any([place.left.signal, this.#stopping.signal]);
    const pause = createRestartPause();
    for (;;) {
      const { servedMs, why } = await place.worker.ended;
      if (signal.aborted) return;
      const pauseMs = pause(servedMs, this.#live.size === 0);
      const seconds = (pauseMs / 1000).toFixed(1);
      this.#options.tell(`a server process ended (${why}); another one starts in ${seconds} s`);
      await sleep(pauseMs, null, { signal }).catch(() => null);
      if (signal.aborted) return;
      this.#metrics.figures.noteRestart();
      place.worker = this.#fork();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#live].map((worker) => worker.end("stop", this.#options.killAfterMs)));
  }
}

/** This process holds the socket, so only it knows whose socket it is. */
async function makeRoom({ socketPath }: WorkersOptions): Promise<void> {
  if (socketPath !== undefined) await makeRoomForSocket(socketPath);
}

/** For port 0: the system would free its port with the last process, and clients would not find the next. */
async function nameFreePort({ host, port, socketPath }: WorkersOptions): Promise<void> {
  if (port !== 0 || socketPath !== undefined) return;
  const server = createServer().listen({ host, port });
  // The first process reports why it cannot listen there.
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

/** null for a process without a supervisor. */
export function findSupervisor(own: NodeJS.Process): SupervisedWorker | null {
  const { worker } = cluster;
  if (!worker) return null;
  // A terminal sends its signals to all processes, and only the supervisor acts on them.
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

/** The longest delay if no other process is left. */
const loneMsMax = 2_000;

/** After this time of service, a failure counts as a new one. */
const servedMsEnough = 60_000;

/** The longest delay, as a part of the time of service. */
const missedPart = 1 / 4;

/** The delay doubles from 0.1 s to 30 s and starts over after a minute of service. Up to half is random. */
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

type RestartPause = (servedMs: number, wasLast: boolean) => number;
