import cluster from "node:cluster";
import { once } from "node:events";
import { chmod, lstat, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createConnection, Server as NetServer } from "node:net";
import type { ListenOptions, UnixSocket } from "../core/server-factory.ts";
import { failure } from "../errors/errors.ts";

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
function stopListening(server: Server, onClosed: () => void): void {
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

/** What the systems have room for in the address of a socket: 104 bytes with their end on macOS, 108 on Linux. */
const pathBytesMax = 103;

/**
 * Makes room for a unix socket: one that is left of a process that died is removed. Throws a usage error when somebody
 * listens there, or when something else has the name.
 */
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
  if (!found.isSocket())
    throw failure("usage", `The socket ${path} cannot be used: something else than a socket is there.`);
  const code = await tryToConnect(path);
  if (code === null) throw failure("usage", `The socket ${path} is in use: another process listens there.`);
  if (code !== "ECONNREFUSED")
    throw failure(
      "usage",
      `The socket ${path} cannot be used: whether somebody listens there is not known (${code}).`,
    );
  await rm(path, { force: true });
}

/** The code of the error; null when somebody answers. */
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
 * Makes what ends servers: they accept nothing more, and it resolves when their connections are gone. A connection on which
 * nothing runs is left for `idleMs`. Called again, it makes that time shorter, never longer.
 */
export function createEnding(servers: readonly Server[]): (idleMs: number) => Promise<void> {
  let idleUntilMs = Number.POSITIVE_INFINITY;
  let ended: Promise<void> | undefined;
  // A connection whose request was under way stays open once that is answered, for as long as its client keeps it.
  const closeIdle = () => {
    if (performance.now() < idleUntilMs) return;
    for (const server of servers) server.closeIdleConnections();
  };
  const end = async () => {
    const looking = setInterval(closeIdle, lookMs);
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => stopListening(server, resolve))),
    );
    clearInterval(looking);
    // Ends what node:http does for a server that is open.
    for (const server of servers) server.close();
  };
  return (idleMs) => {
    idleUntilMs = Math.min(idleUntilMs, performance.now() + idleMs);
    ended ??= end();
    closeIdle();
    return ended;
  };
}

/** What is wrong with an address, and what to do about it, by the code that the system gives (OP-359). */
const faults: Record<string, string> = {
  EADDRINUSE: "another process listens there. End that one, or choose another port",
  EACCES:
    "the system does not allow it. Ports below 1024 need a privilege, so choose one above, behind a proxy",
  EADDRNOTAVAIL: "this machine has no such address. Name one of its own, or 0.0.0.0 for all",
  EAI_AGAIN: "the name cannot be looked up now. Name an address of this machine",
  ENOTFOUND: "the name is not known. Name an address of this machine",
};

const socketFaults: Record<string, string> = {
  // What libuv makes of a folder that is not there, too.
  EACCES: "its folder is missing, or this user cannot write to it. Make one that it can",
};

/** Why a server cannot listen, and the way on, without a full stop; of a code that is not known what the system says. */
export function describeListenFault(error: unknown, isSocket: boolean): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = (isSocket ? socketFaults : faults)[code];
  if (known !== undefined) return `${known} (${code})`;
  return error instanceof Error ? error.message : String(error);
}
