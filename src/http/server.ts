import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { type JsonLog, openJsonLog } from "../runtime/json-log.ts";
import { answerClientError } from "./client-error.ts";
import type { OnOver } from "./finished-request.ts";
import { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
import { createRequestLog } from "./request-log.ts";
import { type Responding, respond } from "./respond.ts";

export interface ServerOptions
  extends HandlerOptions,
    ListenOptions,
    Pick<ServeOptions, "log" | "logLevel"> {}

interface ListenOptions extends Pick<ServeOptions, "logsTokens"> {
  /** How long a request may take to arrive, body included; by default 30 s (OP-173). */
  requestMsMax?: number;
  /** Told of each request when it is over. */
  onOver?: OnOver;
}

/** An HTTP server of a service. */
export interface HttpServer {
  log: JsonLog;
  /** Resolves with the address when requests are accepted. `localhost` is every address that the machine knows by it. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Accepts nothing new; resolves when what runs is answered. */
  close(): Promise<void>;
  closeAllConnections(): void;
}

/** Makes the HTTP server of a service, ready to listen. */
export async function buildServer(service: Service, options: ServerOptions): Promise<HttpServer> {
  const log = openJsonLog(options.logLevel, options.log);
  return toServer(log, await createHandler(service, options), service.makeUuid, options);
}

/** The same for a handler. */
export function toServer(
  log: JsonLog,
  handle: Handler,
  makeUuid: Service["makeUuid"],
  options: ListenOptions,
): HttpServer {
  const requests = createRequestLog(log, options.logsTokens);
  const { onOver: tellOther, requestMsMax = 30_000 } = options;
  const onOver: OnOver = (finished, client) => {
    requests.write(finished, client);
    tellOther?.(finished, client);
  };
  const responding: Responding = { handle, isClosing: false, log, makeUuid, onOver };
  const servers: Server[] = [];
  const listenAt = async (host: string, port: number) => {
    const server = createServer(toServerOptions(requestMsMax), (request, response) => {
      respond(responding, request, response);
    });
    server.timeout = idleMsMax;
    server.maxConnections = connectionsMax;
    server.on("drop", () => tellDropped(log));
    server.on("clientError", (error, socket) =>
      answerClientError({ makeUuid, onOver, requestMsMax }, error, socket as Socket),
    );
    servers.push(server);
    server.listen({ backlog, host, port });
    await once(server, "listening");
    log.info(`Server listening at ${toOrigin(server)}`);
    return server;
  };
  return {
    log,
    async listen({ host, port }) {
      const first = await listenAt(host, port);
      for (const other of await otherAddresses(host, first))
        await listenAt(other, portOf(first)).catch(() => undefined);
      return toOrigin(first);
    },
    async close() {
      responding.isClosing = true;
      // A connection whose request was under way stays open once that is answered, for as long as its client keeps it.
      const closeIdle = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, closeIdleMs);
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      clearInterval(closeIdle);
      requests.close();
    },
    closeAllConnections: () => {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

/** How long nothing may move on a connection: between requests, and while an answer is sent to who does not read it. */
const idleMsMax = 60_000;

/**
 * How many connections a process keeps; beyond them a new one is closed at once (OP-173). Without a bound they would take
 * every file that the process may open, those of the store and of deliveries too.
 */
const connectionsMax = 10_000;

/**
 * How many connections may wait to be accepted, as far as the system allows. Whoever comes beyond them tries again after 1, 3
 * and 7 s.
 */
const backlog = 4096;

const toServerOptions = (requestMsMax: number) => ({
  // By default node:http looks every 30 s which requests have taken too long. Those that it finds are answered in one go, so
  // of thousands that began within a second there should be few at a time.
  connectionsCheckingInterval: 100,
  headersTimeout: requestMsMax,
  keepAliveTimeout: idleMsMax,
  maxHeaderSize: 16 * 1024,
  requestTimeout: requestMsMax,
  // No operation depends on the host, and Node would refuse a missing one in another form than ours (OP-20).
  requireHostHeader: false,
});

const closeIdleMs = 50;

let droppedToldMs = Number.NEGATIVE_INFINITY;

/** At most once a second. */
function tellDropped(log: JsonLog): void {
  const now = performance.now();
  if (now - droppedToldMs < 1000) return;
  droppedToldMs = now;
  log.warn({ connections_max: connectionsMax }, "too many connections: new ones are closed");
}

const portOf = (server: Server) => addressOf(server).port;

function toOrigin(server: Server): string {
  const { address, family, port } = addressOf(server);
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function addressOf(server: Server): AddressInfo {
  // Only a server at a pipe, or one that does not listen, has none of its own.
  return server.address() as AddressInfo;
}

async function otherAddresses(host: string, first: Server): Promise<string[]> {
  if (host !== "localhost") return [];
  const known = await lookup(host, { all: true }).catch(() => []);
  return known.map(({ address }) => address).filter((address) => address !== addressOf(first).address);
}
