import type { Actor } from "../auth/actor.ts";
import type { Service } from "./service.ts";

/** What the HTTP side of the program does for its command line. */
export interface ServerFactory {
  /** Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. */
  startServer(service: Service, options: ServeOptions): Promise<RunningServer>;
  /** Starts several processes that serve as this one would, and keeps as many running. */
  startWorkers(count: number, tell: (line: string) => void): Promise<Supervisor>;
  /** This process's supervisor; null when it is on its own. */
  findSupervisor(): Promise<SupervisedWorker | null>;
  /** Answers a raw request in this process as a server would, for a user of the store instead of a token. */
  answerInProcess(service: Service, actor: Actor, request: RawRequest): Promise<RawAnswer>;
}

export interface ServeOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** How many bytes of answers the server keeps to give them again while nothing has changed: 64 MiB unless given, 0 for none. */
  answerBytesMax?: number;
  /** Deliver the outbox to webhooks as well. */
  delivers: boolean;
  /** pino's levels, or "silent". */
  logLevel: string;
  /** Where the log goes, one JSON line a request and a delivery attempt. */
  log: { write(line: string): void };
}

/** A server that accepts requests. */
export interface RunningServer {
  url: string;
  /** Takes nothing new and answers what runs; resolves when done, or after 10 s with the rest cut off. */
  close(): Promise<void>;
}

/** A request as `api` sends it. */
export interface RawRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a server that accepts requests tells its operator. */
export interface Served {
  url: string;
  /** What should be known of its store. */
  notes: readonly string[];
}

/** Several processes that serve one store at one address. */
export interface Supervisor extends Served {
  /** Ends the processes one after the other, so that the others answer meanwhile. */
  stop(): Promise<void>;
  /** Rejects with WorkersFailed when the processes cannot be kept running. */
  broken: Promise<never>;
}

/** What a process that a supervisor started owes it. */
export interface SupervisedWorker {
  /** Says where it serves. */
  ready(served: Served): void;
  /** Calls back when the process must end: the supervisor said so, or is gone. */
  onStop(listener: () => void): void;
  /** Lets go of the supervisor, so that nothing keeps the process. */
  leave(): void;
}

/** The processes end as soon as they are started; they have said why. */
export class WorkersFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("The server processes end as soon as they are started.");
    this.exitCode = exitCode;
  }
}
