import type { Actor } from "./actor.ts";
import type { Service } from "./service.ts";
import type { SupervisedWorker, Supervisor } from "./supervisor.ts";

/** What the HTTP side of the program does for its command line. */
export interface HttpParts {
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
