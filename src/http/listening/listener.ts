import cluster from "node:cluster";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { ListenOptions, UnixSocket } from "../../core/server-factory.ts";
import { makeRoomForSocket } from "./open-socket.ts";

/**
 * How many connections may wait to be accepted, as far as the system allows. Whoever comes beyond them tries again after 1, 3
 * and 7 s.
 */
const backlog = 4096;

/** Makes what speaks HTTP, in plain or by TLS 1.2 and later; it does not listen yet. */
export function makeListener(
  tls: ListenOptions["tls"],
  options: ServerOptions,
  answer: RequestListener,
): Server {
  if (!tls) return createServer(options, answer);
  const { requestTimeout: handshakeTimeout } = options;
  // Of a node:http server it has everything but the type's name.
  return createTlsServer(
    {
      ...options,
      ...tls,
      minVersion: "TLSv1.2",
      ...(handshakeTimeout !== undefined && { handshakeTimeout }),
    },
    answer,
  ) as unknown as Server;
}

/** Listens at an address. Throws what the system throws. */
export async function listenAtPort(server: Server, host: string, port: number): Promise<void> {
  server.listen({ backlog, host, port });
  await once(server, "listening");
}

/** Listens at a unix socket, which is removed when the server is closed. Throws a usage error, and what the system throws. */
export async function listenAtSocket(server: Server, { mode, path }: UnixSocket): Promise<void> {
  // The supervisor of several processes listens for them, and made room before.
  if (cluster.isPrimary) await makeRoomForSocket(path);
  server.listen({ backlog, path });
  await once(server, "listening");
  await chmod(path, mode);
}

/** Accepts no more connections, and leaves those that there are; calls back when they are gone. */
export function stopListening(server: Server, onClosed: () => void): void {
  // node:http's own ends what is idle at once, although a request may be under way there.
  NetServer.prototype.close.call(server, onClosed);
}

/** Where a server is reached. */
export function toOrigin(server: Server, isSecure: boolean): string {
  const address = server.address();
  if (typeof address === "string") return `unix:${address}`;
  const { address: host, family, port } = address as AddressInfo;
  return `${isSecure ? "https" : "http"}://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}
