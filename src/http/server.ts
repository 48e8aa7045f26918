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
  /** For a whole request. Default: 30 s. */
  requestMsMax?: number;
  onOver?: OnOver;
}

export interface HttpServer {
  log: JsonLog;
  /** Returns the address. `localhost` means every address of the machine with that name. */
  listen(address: Pick<ListenOptions, "host" | "port" | "socket">): Promise<string>;
  /** Closes each connection with its next response. */
  closeKept(): void;
  close(idleMs?: number): Promise<void>;
  closeAllConnections(): void;
}

export async function buildServer(service: Service, options: ServerOptions): Promise<HttpServer> {
  const log = openJsonLog(options.logLevel, options.log);
  return toServer(log, await createHandler(service, options), service.makeUuid, options);
}

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
  const sockets = new Set<Socket>();
  const make = () => {
    const server = makeListener(tls, toServerOptions(requestMsMax), (request, response) => {
      respond(responding, request, response);
    });
    boundConnections(server, log, sockets, tls !== undefined);
    // Node's own response has another form.
    server.on("checkExpectation", (request, response) => {
      respond({ ...responding, handle: refuseExpectation }, request, response);
    });
    const refuse = (error: Error, socket: Duplex) =>
      answerClientError({ handle, makeUuid, onOver, requestMsMax }, error, socket as Socket);
    server.on("clientError", refuse);
    // Node would close the connection without a response or a log line.
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
  const end = createEnding(servers, sockets);
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

/** Applies between requests, and while a client does not read its response. */
const idleMsMax = 60_000;

/** More connections would use the file descriptors of the store and deliveries. */
const connectionsMax = 10_000;

function boundConnections(server: Server, log: JsonLog, sockets: Set<Socket>, isTls: boolean): void {
  server.timeout = idleMsMax;
  server.maxConnections = connectionsMax;
  server.on("drop", () => tellDropped(log));
  for (const event of isTls ? ["connection", "secureConnection"] : ["connection"])
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  server.on(isTls ? "secureConnection" : "connection", noteAddress);
}

const toServerOptions = (requestMsMax: number) => ({
  // By default node:http checks every 30 s and answers all late requests at once, possibly thousands.
  connectionsCheckingInterval: 100,
  headersTimeout: requestMsMax,
  keepAliveTimeout: idleMsMax,
  maxHeaderSize: 16 * 1024,
  requestTimeout: requestMsMax,
  requireHostHeader: false,
});

/** Node keeps a socket's address after a disconnect only if it was read before. The log needs the address. */
const noteAddress = (socket: Socket): unknown => socket.remoteAddress;

let droppedToldMs = Number.NEGATIVE_INFINITY;

function tellDropped(log: JsonLog): void {
  const now = performance.now();
  if (now - droppedToldMs < 1000) return;
  droppedToldMs = now;
  log.warn({ connections_max: connectionsMax }, "too many connections: new ones are closed");
}

function addressOf(server: Server): AddressInfo {
  return server.address() as AddressInfo;
}

async function otherAddresses(host: string, first: Server): Promise<string[]> {
  if (host !== "localhost") return [];
  const known = await lookup(host, { all: true }).catch(() => []);
  return known.map(({ address }) => address).filter((address) => address !== addressOf(first).address);
}
