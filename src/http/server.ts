import { lookup } from "node:dns/promises";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ListenOptions, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { type JsonLog, openJsonLog } from "../runtime/json-log.ts";
import { answerClientError } from "./client-error.ts";
import type { OnOver } from "./finished-request.ts";
import { createHandler, type Handler, type HandlerOptions, refuseExpectation } from "./handler.ts";
import { createEnding, listenAtPort, listenAtSocket, makeListener, toOrigin } from "./listener.ts";
import { createRequestLog } from "./request-log.ts";
import { endRequestSpan } from "./request-span.ts";
import { type Responding, respond } from "./respond.ts";

export interface ServerOptions
  extends HandlerOptions,
    HttpServerOptions,
    Pick<ServeOptions, "log" | "logLevel"> {}

interface HttpServerOptions
  extends Pick<ServeOptions, "logsTokens" | "slowMs" | "tracing">,
    Pick<ListenOptions, "tls" | "trustedProxies"> {
  /** How long a request may take to arrive, body included; by default 30 s (OP-173). */
  requestMsMax?: number;
  /** Told of each request when it is over. */
  onOver?: OnOver;
}

/** An HTTP server of a service. */
export interface HttpServer {
  log: JsonLog;
  /** Resolves with the address when requests are accepted. `localhost` is every address that the machine knows by it. */
  listen(address: Pick<ListenOptions, "host" | "port" | "socket">): Promise<string>;
  /** From now on each connection is closed with its next answer. */
  closeKept(): void;
  /** Accepts nothing new; resolves when what runs is answered. Connections on which nothing runs stay for `idleMs`. */
  close(idleMs?: number): Promise<void>;
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
  options: HttpServerOptions,
): HttpServer {
  const { logsTokens: namesTokens = false, slowMs } = options;
  const requests = createRequestLog(log, { namesTokens, slowMs });
  const { onOver: tellOther, requestMsMax = 30_000, tls, tracing, trustedProxies: proxies = null } = options;
  const onOver: OnOver = (finished, client) => {
    requests.write(finished, client);
    if (client.span) endRequestSpan(client, finished);
    tellOther?.(finished, client);
  };
  const notesWork = slowMs !== undefined;
  const streams: Responding["streams"] = new Set();
  const states = { endsStreams: false, isClosing: false, streams };
  const told = { log, makeUuid, notesWork, onOver, proxies };
  const responding: Responding = { handle, ...told, ...states, ...(tracing && { tracing }) };
  const servers: Server[] = [];
  const make = () => {
    const server = makeListener(tls, toServerOptions(requestMsMax), (request, response) => {
      respond(responding, request, response);
    });
    boundConnections(server, log, tls !== undefined);
    // Without a listener Node answers in another form than ours.
    server.on("checkExpectation", (request, response) => {
      respond({ ...responding, handle: refuseExpectation }, request, response);
    });
    const refuse = (error: Error, socket: Duplex) =>
      answerClientError({ handle, makeUuid, onOver, requestMsMax }, error, socket as Socket);
    server.on("clientError", refuse);
    // Without a listener it would be closed without a word to the client or the log.
    server.on("connect", (_, socket) => refuse(new Error("CONNECT"), socket));
    servers.push(server);
    return server;
  };
  const tellListening = (server: Server) => {
    log.info(`Server listening at ${toOrigin(server, tls !== undefined)}`);
    return server;
  };
  const listenAt = async (host: string, port: number) => {
    const server = make();
    await listenAtPort(server, host, port);
    return tellListening(server);
  };
  const end = createEnding(servers);
  return {
    log,
    async listen({ host, port, socket }) {
      const first = socket ? make() : await listenAt(host, port);
      if (socket) {
        await listenAtSocket(first, socket);
        tellListening(first);
      } else
        for (const other of await otherAddresses(host, first))
          await listenAt(other, addressOf(first).port).catch(() => undefined);
      return toOrigin(first, tls !== undefined);
    },
    closeKept() {
      responding.isClosing = true;
    },
    async close(idleMs = 0) {
      responding.isClosing = true;
      responding.endsStreams = true;
      for (const stream of streams) stream.end();
      await end(idleMs);
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

function boundConnections(server: Server, log: JsonLog, isTls: boolean): void {
  server.timeout = idleMsMax;
  server.maxConnections = connectionsMax;
  server.on("drop", () => tellDropped(log));
  server.on(isTls ? "secureConnection" : "connection", noteAddress);
}

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

/** A socket whose other end is gone knows its address only when it was asked before; the log is to name who goes away. */
const noteAddress = (socket: Socket): unknown => socket.remoteAddress;

let droppedToldMs = Number.NEGATIVE_INFINITY;

/** At most once a second. */
function tellDropped(log: JsonLog): void {
  const now = performance.now();
  if (now - droppedToldMs < 1000) return;
  droppedToldMs = now;
  log.warn({ connections_max: connectionsMax }, "too many connections: new ones are closed");
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
