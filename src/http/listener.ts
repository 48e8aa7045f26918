import cluster from "node:cluster";
import { once } from "node:events";
import { chmod, lstat, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createConnection, Server as NetServer, type Socket } from "node:net";
import type { ListenOptions, UnixSocket } from "../core/server-factory.ts";
import { failure } from "../errors/errors.ts";

/** The system may allow fewer. A client without room tries again after 1, 3, and 7 s. */
const backlog = 4096;

/** HTTP, or TLS 1.2 and later. */
export function makeListener(
  tls: ListenOptions["tls"],
  options: ServerOptions,
  answer: RequestListener,
): Server {
  if (!tls) return createServer(options, answer);
  const { requestTimeout: handshakeTimeout } = options;
  // It has everything that a node:http server has except the name of the type.
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

/** Throws the system's error. */
export async function listenAtPort(server: Server, host: string, port: number): Promise<void> {
  server.listen({ backlog, host, port });
  await once(server, "listening");
}

/** Removes the socket on close. Throws a usage error or the system's error. */
export async function listenAtSocket(server: Server, { mode, path }: UnixSocket): Promise<void> {
  // The supervisor has already made room for its processes.
  if (cluster.isPrimary) await makeRoomForSocket(path);
  server.listen({ backlog, path });
  await once(server, "listening");
  await chmod(path, mode);
}

/** Keeps open connections. Calls back when they are closed. In Bun, node:http has a server of its own. */
function stopListening(server: Server, onClosed: () => void): void {
  const { close } = server instanceof NetServer ? NetServer.prototype : server;
  close.call(server, onClosed);
}

export function toOrigin(server: Server, isSecure: boolean): string {
  const address = server.address();
  if (typeof address === "string") return `unix:${address}`;
  const { address: host, family, port } = address as AddressInfo;
  return `${isSecure ? "https" : "http"}://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}

/** A socket's path has 104 bytes at most on macOS, and 108 on Linux, including the end. */
const pathBytesMax = 103;

/** Removes the socket of a dead process. Throws a usage error if a process listens, or if the file is not a socket. */
export async function makeRoomForSocket(path: string): Promise<void> {
  if (Buffer.byteLength(path) > pathBytesMax)
    throw failure(
      "usage",
      `The path of the socket ${path} is too long: ${pathBytesMax} bytes are allowed. Choose a shorter one.`,
    );
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw failure("usage", `The socket ${path} cannot be used: ${error.message}.`, null, error);
  });
  if (!found) return;
  if (!found.isSocket()) throw failure("usage", `The socket ${path} cannot be used: it is not a socket.`);
  const code = await tryToConnect(path);
  if (code === null) throw failure("usage", `The socket ${path} is in use: another process listens there.`);
  if (code !== "ECONNREFUSED")
    throw failure(
      "usage",
      `The socket ${path} cannot be used: the check for another process failed (${code}).`,
    );
  await rm(path, { force: true });
}

function tryToConnect(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createConnection({ path, timeout: 2000 });
    const finish = (code: string | null) => {
      socket.destroy();
      resolve(code);
    };
    socket.once("connect", () => finish(null));
    socket.once("timeout", () => finish(null));
    socket.once("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  });
}

const lookMs = 50;

/**
 * Stops accepting; resolves when all connections are closed. Later calls can only shorten `idleMs`. `sockets` are the
 * open ones: node:http never counts a connection as idle before its first request.
 */
export function createEnding(
  servers: readonly Server[],
  sockets: ReadonlySet<Socket>,
): (idleMs: number) => Promise<void> {
  let idleUntilMs = Number.POSITIVE_INFINITY;
  let ended: Promise<void> | undefined;
  // A client may keep its connection open after the last response.
  const closeIdle = () => {
    if (performance.now() < idleUntilMs) return;
    for (const server of servers) server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const end = async () => {
    const looking = setInterval(closeIdle, lookMs);
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => stopListening(server, resolve))),
    );
    clearInterval(looking);
    // Ends the timers of node:http.
    for (const server of servers) server.close();
  };
  return (idleMs) => {
    idleUntilMs = Math.min(idleUntilMs, performance.now() + idleMs);
    ended ??= end();
    closeIdle();
    return ended;
  };
}

const faults: Record<string, string> = {
  EADDRINUSE: "another process listens there. Stop that process, or choose another port",
  EACCES:
    "the system does not allow it. Ports below 1024 need a privilege, so choose one above, behind a proxy",
  EADDRNOTAVAIL: "this machine has no such address. Name an address of this machine, or 0.0.0.0 for all",
  EAI_AGAIN: "the name cannot be looked up now. Name an address of this machine",
  ENOTFOUND: "the name is not known. Name an address of this machine",
};

const socketFaults: Record<string, string> = {
  // libuv reports a missing folder in the same way.
  EACCES:
    "its folder is missing, or this user cannot write to it. Create a folder that this user can write to",
};

/** The reason and the fix, without a period. */
export function describeListenFault(error: unknown, isSocket: boolean): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = (isSocket ? socketFaults : faults)[code];
  if (known !== undefined) return `${known} (${code})`;
  return error instanceof Error ? error.message : String(error);
}
