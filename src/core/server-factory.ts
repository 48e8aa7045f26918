import type { LogLevel } from "../runtime/log-line.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { Service } from "./service.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** The HTTP side of the program, for its commands. */
export interface ServerFactory {
  /** Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. */
  startServer(service: Service, options: ServeOptions): Promise<RunningServer>;
  /** Starts several serving processes, and restarts those that end. */
  startWorkers(options: WorkersOptions): Promise<Supervisor>;
  /** The supervisor of this process; null without one. */
  findSupervisor(): Promise<SupervisedWorker | null>;
}

export interface ListenOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** A unix socket to listen at, in place of host and port. */
  socket?: UnixSocket;
  /** The certificate chain and its key as PEM; without them the server speaks plain HTTP. */
  tls?: { cert: string; key: string };
  /** The prefix of every path, such as `/dispatch`; by default empty. */
  basePath?: string;
  /** Proxies whose headers name the client; by default none. */
  trustedProxies?: TrustedProxies;
}

export interface UnixSocket {
  path: string;
  mode: number;
}

export interface ServeOptions extends ListenOptions {
  /** Size of the answer cache: 64 MiB by default, 0 for none. */
  answerBytesMax?: number;
  /** Limit of requests for each token; by default none. */
  rateLimit?: RateLimit;
  /** Sends the deliveries of the outbox too. */
  delivers: boolean;
  /** One of `logLevels`. */
  logLevel: string;
  /** Requests that take at least this long are logged with their timings; off by default. */
  slowMs?: number;
  /** Runs long reads of a store file in another thread. */
  usesThreads?: boolean;
  /** Records requests for `requests.get`; a sandbox server always does. */
  inspects?: boolean;
  /** Log lines name the caller's token. */
  logsTokens?: boolean;
  /** Opens a sandbox store in the state of its start; null where that is impossible. */
  restore?: (() => Promise<Service>) | null;
  /** One JSON line for each request and each delivery attempt. */
  log: ServerLog;
  /** Creates spans of requests and webhook attempts; closed with the server. */
  tracing?: Tracing;
  metrics?: MetricsOptions;
}

/** The log of a process that serves. */
export interface ServerLog {
  write(line: string): void;
  /** Number of lost lines, where it is known. */
  lostLines?(): number;
}

export interface MetricsOptions {
  /** A separate address; null for /metrics at the server's own. */
  address: { host: string; port: number } | null;
  /** Tokens that open the figures; null where no token is needed. */
  tokens: () => readonly string[] | null;
  /** Without a token, only this machine may read the figures, under a host name of its own. */
  isLocal: boolean;
}

export interface RateLimit {
  /** Sustained rate. */
  perSecond: number;
  /** The number of requests allowed at once, after a pause. */
  burst: number;
}

export interface RunningServer {
  url: string;
  setLogLevel(level: LogLevel): void;
  /** Resets a sandbox store to its start. Throws state_conflict where that is impossible. */
  reset(): Promise<void>;
  /** The current service; `reset` replaces it. */
  service(): Service;
  /**
   * Reports not ready, still answers requests, and closes each connection with its next answer.
   */
  drain(): void;
  /**
   * Accepts no new connections and finishes running requests; cuts off those that still run after `graceMs` (10 s by
   * default). Keeps idle connections for `idleMs`, for requests that are already on the way. May be called again with shorter
   * times.
   */
  close(graceMs?: number, idleMs?: number): Promise<void>;
}

/** What a running server reports to its operator. */
export interface Served {
  url: string;
  notes: readonly string[];
}

export interface WorkersOptions {
  count: number;
  /** The address, unless `socketPath` is given; port 0 is any free one. */
  host: string;
  port: number;
  socketPath?: string;
  /** A process that does not end after SIGTERM is killed after this time. */
  killAfterMs: number;
  log: ServerLog;
  logLevel: string;
  metrics?: MetricsOptions;
  /** More environment variables for a new process. */
  variables?(): Record<string, string>;
  /** Reports processes that ended. */
  tell(line: string): void;
}

/** Several processes that serve one store at one address. */
export interface Supervisor {
  /** Resolves when they accept requests; rejects with WorkersFailed when the first one fails. */
  ready: Promise<Served>;
  /**
   * Replaces the processes: each ends when its successor accepts requests. Rejects with WorkersFailed when the first
   * successor fails, and changes nothing then.
   */
  replace(options: WorkersOptions): Promise<Served>;
  stop(): Promise<void>;
}

/** The reason to end a process: all end, or another one has replaced it. */
export type EndingWord = "stop" | "retire";

/** The supervisor, as a process that it started sees it. */
export interface SupervisedWorker {
  ready(served: Served): void;
  /** Calls back when the process must end: the supervisor asked for it, or is gone. */
  onEnd(listener: (word: EndingWord) => void): void;
  /** Disconnects from the supervisor, so that the process can exit. */
  leave(): void;
}

/** No process could start serving; the first one has reported the reason. */
export class WorkersFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("No server process came to serve.");
    this.exitCode = exitCode;
  }
}
