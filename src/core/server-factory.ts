import type { LogLevel } from "../runtime/log-line.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { Service } from "./service.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

export interface ServerFactory {
  /** Resolves when requests are accepted. Throws a usage error if it cannot listen. */
  startServer(service: Service, options: ServeOptions): Promise<RunningServer>;
  /** Restarts processes that end. */
  startWorkers(options: WorkersOptions): Promise<Supervisor>;
  /** null for a process without a supervisor. */
  findSupervisor(): Promise<SupervisedWorker | null>;
}

export interface ListenOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** A unix socket instead of host and port. */
  socket?: UnixSocket;
  /** Certificate chain and key as PEM. Missing: plain HTTP. */
  tls?: { cert: string; key: string };
  /** The prefix of every path, such as `/dispatch`. Default: empty. */
  basePath?: string;
  /** Proxies whose headers name the client. Default: none. */
  trustedProxies?: TrustedProxies;
}

export interface UnixSocket {
  path: string;
  mode: number;
}

export interface ServeOptions extends ListenOptions {
  /** Cache of responses. Default: 64 MiB; 0 for none. */
  answerBytesMax?: number;
  /** For each token. Default: none. */
  rateLimit?: RateLimit;
  delivers: boolean;
  logLevel: string;
  /** Logs slower requests with their timings. Default: off. */
  slowMs?: number;
  /** Runs long reads of a store file in another thread. */
  usesThreads?: boolean;
  /** Records requests for `requests.get`. A sandbox server always does. */
  inspects?: boolean;
  /** Log lines name the caller's token. */
  logsTokens?: boolean;
  /** Opens a sandbox store in its initial state; null if that is impossible. */
  restore?: (() => Promise<Service>) | null;
  /** One JSON line for each request and delivery attempt. */
  log: ServerLog;
  /** Closed with the server. */
  tracing?: Tracing;
  metrics?: MetricsOptions;
}

export interface ServerLog {
  write(line: string): void;
  /** The number of lost lines, if known. */
  lostLines?(): number;
}

export interface MetricsOptions {
  /** null for /metrics at the server's own address. */
  address: { host: string; port: number } | null;
  /** Tokens that may read the metrics; null if none is needed. */
  tokens: () => readonly string[] | null;
  /** Without a token, only this machine may read the metrics, under its own host names. */
  isLocal: boolean;
}

export interface RateLimit {
  perSecond: number;
  /** The number of requests allowed at once, after a pause. */
  burst: number;
}

export interface RunningServer {
  url: string;
  setLogLevel(level: LogLevel): void;
  /** Resets a sandbox store. Throws state_conflict if that is impossible. */
  reset(): Promise<void>;
  /** The current service; `reset` replaces it. */
  service(): Service;
  /** Reports not ready, still answers requests, and closes each connection with its next response. */
  drain(): void;
  /** Finishes requests for up to `graceMs` (default: 10 s). Keeps idle connections for `idleMs`. */
  close(graceMs?: number, idleMs?: number): Promise<void>;
}

export interface Served {
  url: string;
  notes: readonly string[];
}

export interface WorkersOptions {
  count: number;
  /** Ignored with `socketPath`. Port 0 is any free one. */
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
  tell(line: string): void;
}

/** Several processes that serve one store at one address. */
export interface Supervisor {
  /** Rejects with WorkersFailed if the first process fails. */
  ready: Promise<Served>;
  /** Each process ends when its successor serves. If the first successor fails, rejects with WorkersFailed. */
  replace(options: WorkersOptions): Promise<Served>;
  stop(): Promise<void>;
}

/** "stop": all end. "retire": a successor runs. */
export type EndingWord = "stop" | "retire";

/** The supervisor from the view of a process that it started. */
export interface SupervisedWorker {
  ready(served: Served): void;
  /** Calls back if the supervisor asked for the end, or is gone. */
  onEnd(listener: (word: EndingWord) => void): void;
  /** Disconnects from the supervisor, so that the process can exit. */
  leave(): void;
}

/** No process could start serving. The first one has reported the reason. */
export class WorkersFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("No server process came to serve.");
    this.exitCode = exitCode;
  }
}
