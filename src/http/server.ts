import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Logger, pino } from "pino";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { type DispatchError, failure } from "../errors/errors.ts";
import { defaultVersion } from "../models/api-versions.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { createHandler, type HandlerOptions } from "./handler.ts";
import { toCommonHeaders } from "./headers.ts";
import { respond } from "./respond.ts";

export interface ServerOptions extends HandlerOptions, Pick<ServeOptions, "log" | "logLevel"> {}

/** An HTTP server of a service. */
export interface HttpServer {
  log: Logger;
  /** Resolves with the address when requests are accepted. `localhost` is every address that the machine knows by it. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Accepts nothing new; resolves when what runs is answered. */
  close(): Promise<void>;
  closeAllConnections(): void;
}

/** Makes the HTTP server of a service, ready to listen. */
export async function buildServer(service: Service, options: ServerOptions): Promise<HttpServer> {
  const log = pino({ level: options.logLevel }, options.log);
  const handle = await createHandler(service, options);
  const servers: Server[] = [];
  const listenAt = async (host: string, port: number) => {
    const server = createServer(serverOptions, (request, response) => {
      respond({ handle, id: service.makeUuid(), isClosing, log }, request, response);
    });
    server.on("clientError", (error, socket) => answerClientError(service, error, socket as Socket));
    servers.push(server);
    server.listen({ host, port });
    await once(server, "listening");
    log.info(`Server listening at ${toOrigin(server)}`);
    return server;
  };
  let isClosing = false;
  return {
    log,
    async listen({ host, port }) {
      const first = await listenAt(host, port);
      for (const other of await otherAddresses(host, first))
        await listenAt(other, portOf(first)).catch(() => undefined);
      return toOrigin(first);
    },
    async close() {
      isClosing = true;
      // A connection whose request was under way stays open once that is answered, for as long as its client keeps it.
      const closeIdle = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, closeIdleMs);
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      clearInterval(closeIdle);
    },
    closeAllConnections: () => {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

const serverOptions = {
  keepAliveTimeout: 60_000,
  maxHeaderSize: 16 * 1024,
  requestTimeout: 30_000,
  // No operation depends on the host, and Node would refuse a missing one in another form than ours (OP-20).
  requireHostHeader: false,
};

const closeIdleMs = 50;

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

/** Answers bytes that the parser takes for no request. There are no headers to read then. */
function answerClientError(service: Service, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const requestId = service.makeUuid();
  const answer = toErrorAnswer(toClientProblem(error.code), requestId, { headers: {}, path: "" });
  const headers = {
    ...toCommonHeaders(requestId, defaultVersion, ""),
    ...answer.headers,
    connection: "close",
  };
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(answer.body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${answer.status} Error\r\n${head}\r\n${answer.body}`);
}

function toClientProblem(code: string | undefined): DispatchError {
  if (code === "HPE_HEADER_OVERFLOW")
    return failure("header_too_large", "The headers have more than 16 KiB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return failure("request_timeout", "The request did not arrive within 30 s.");
  return failure("malformed_request", "The bytes received are no HTTP/1.1 request.");
}
