import type { LogLevel } from "../runtime/log-line.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { Service } from "./service.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** What the HTTP side of the program does for its command line. */
export interface ServerFactory {
  /** Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. */
  startServer(service: Service, options: ServeOptions): Promise<RunningServer>;
  /** Starts several processes that serve as this one would, and keeps as many running. */
  startWorkers(options: WorkersOptions): Promise<Supervisor>;
  /** This process's supervisor; null when it is on its own. */
  findSupervisor(): Promise<SupervisedWorker | null>;
}

/** Where a server is reached, and how. */
export interface ListenOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** A unix socket to listen at, in place of host and port. */
  socket?: UnixSocket;
  /** The certificate, with those between it and the root, and its key, both as PEM: without them HTTP is spoken in plain. */
  tls?: { cert: string; key: string };
  /** What stands before every path, such as `/dispatch`; nothing unless given. */
  basePath?: string;
  /** Whose word on a request's client is taken; without it, nobody's. */
  trustedProxies?: TrustedProxies;
}

/** A socket in the file system, and who may connect to it by its mode. */
export interface UnixSocket {
  path: string;
  mode: number;
}

export interface ServeOptions extends ListenOptions {
  /** How many bytes of answers the server keeps to give them again while nothing has changed: 64 MiB unless given, 0 for none. */
  answerBytesMax?: number;
  /** How many requests each token has; without it nobody counts. */
  rateLimit?: RateLimit;
  /** Deliver the outbox to webhooks as well. */
  delivers: boolean;
  /** One of `logLevels`. */
  logLevel: string;
  /** Requests that took at least so many milliseconds have a line with what took so long; without it none has. */
  slowMs?: number;
  /** Do long reads of a store file in a thread of their own. */
  usesThreads?: boolean;
  /** Keeps what requests carry, for `requests.get`; a server of a sandbox store does so anyway. */
  inspects?: boolean;
  /** Lines of requests name the caller's token too. */
  logsTokens?: boolean;
  /** Of a sandbox store: opens it as it was when it began to be served; null where that cannot be. */
  restore?: (() => Promise<Service>) | null;
  /** Where the log goes, one JSON line a request and a delivery attempt. */
  log: ServerLog;
  /** Makes spans of requests and of webhook attempts; closed with the server. Without it there are none. */
  tracing?: Tracing;
  /** Figures for monitoring; without it there are none. */
  metrics?: MetricsOptions;
}

/** The log of a process that serves. */
export interface ServerLog {
  write(line: string): void;
  /** How many lines could not be written, where that is known. */
  lostLines?(): number;
}

/** Where the figures of a server are, and for whom. */
export interface MetricsOptions {
  /** An address of their own; null for /metrics beside the interface. */
  address: { host: string; port: number } | null;
  /** Who shows one of these gets the figures; null where everybody does. */
  tokens: () => readonly string[] | null;
  /** Whether only this machine reaches the figures: by a name that is its own, unless a token is shown. */
  isLocal: boolean;
}

/** How many requests are taken of one token. */
export interface RateLimit {
  /** So many in the long run. */
  perSecond: number;
  /** So many at once, after a pause. */
  burst: number;
}

/** A server that accepts requests. */
export interface RunningServer {
  url: string;
  /** From now on the log takes lines of this level and those above it. */
  setLogLevel(level: LogLevel): void;
  /** Brings a sandbox store back to what it was. Throws state_conflict where that cannot be. */
  reset(): Promise<void>;
  /** The service that answers requests now: after `reset` it is another one. */
  service(): Service;
  /**
   * Says from now on that it is not ready, and answers all the same what comes; each connection is closed with its next
   * answer.
   */
  drain(): void;
  /**
   * Takes nothing new and answers what runs; what still runs after `graceMs`, 10 s unless given, is cut off. A connection on
   * which nothing runs is kept for `idleMs` more, so that a request that is under way to it finds somebody. May be called again with
   * less. Resolves when done.
   */
  close(graceMs?: number, idleMs?: number): Promise<void>;
}

/** What a server that accepts requests tells its operator. */
export interface Served {
  url: string;
  /** What should be known of its store. */
  notes: readonly string[];
}

export interface WorkersOptions {
  /** How many processes serve. */
  count: number;
  /** Where they listen, unless at a unix socket; port 0 is any free one. */
  host: string;
  port: number;
  /** The unix socket that they listen at. */
  socketPath?: string;
  /** When processes that were told to end and have not are killed. */
  killAfterMs: number;
  /** Where this process logs. */
  log: ServerLog;
  logLevel: string;
  metrics?: MetricsOptions;
  /** Variables that a process gets when it is started, beside those of this one. */
  variables?(): Record<string, string>;
  /** Told of processes that ended. */
  tell(line: string): void;
}

/** Several processes that serve one store at one address. */
export interface Supervisor {
  /** Resolves when they accept requests; rejects with WorkersFailed when the first of them cannot. */
  ready: Promise<Served>;
  /**
   * Starts them anew: each ends when its successor accepts requests. Rejects with WorkersFailed when the first of them cannot, and
   * leaves all as it is. Gives what the first of them says.
   */
  replace(options: WorkersOptions): Promise<Served>;
  /** Ends the processes together. */
  stop(): Promise<void>;
}

/** Why a process is to end: with all the others, or because another has taken its place. */
export type EndingWord = "stop" | "retire";

/** What a process that a supervisor started owes it. */
export interface SupervisedWorker {
  /** Says where it serves. */
  ready(served: Served): void;
  /** Calls back when the process must end: the supervisor said so, or is gone. */
  onEnd(listener: (word: EndingWord) => void): void;
  /** Lets go of the supervisor, so that nothing keeps the process. */
  leave(): void;
}

/** No process came to serve; the first has said why. */
export class WorkersFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("No server process came to serve.");
    this.exitCode = exitCode;
  }
}
